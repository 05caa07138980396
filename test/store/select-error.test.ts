import { ClickHouseError } from '@clickhouse/client'
import { expect, it } from 'vitest'

import { selectError } from '../../src/store/select/selector.js'

const TARGET = { url: 'http://localhost:8123', database: 'otel' }

const errorOf = (code: string): ClickHouseError => new ClickHouseError({ code, message: 'said', type: '' })

it.each([
  ['a password that is refused', errorOf('516'), 'store_unreachable'],
  ['a shard that is away', errorOf('279'), 'store_unreachable'],
  ['a full disk', errorOf('243'), 'disk_full'],
  ['what answers not at all', new Error('ECONNREFUSED'), 'store_unreachable'],
  ['what its user may not do', errorOf('497'), 'access_denied'],
  ['what takes too long', errorOf('159'), 'usage'],
  ['what takes too much memory', errorOf('241'), 'usage'],
  ['what it does not understand', errorOf('62'), 'usage'],
])('attributes %s to the right side', (_, error, code) => {
  expect(selectError(error, TARGET)).toMatchObject({ code, cause: error })
})
