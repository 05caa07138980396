import { describe, expect, it } from 'vitest'

import { createStoreClient } from '../../src/store/client/client.js'
import { storeError } from '../../src/store/client/store-error.js'
import { shownUrl } from '../../src/base/shown-url.js'

describe('a URL with a password that is not percent-encoded', () => {
  it.each([
    ['http://me:se/cret@host:8123', 'http://…@host:8123'],
    ['http://me:12/cret@host:8123', 'http://…@host:8123'],
    ['http://me:12?cret@host:8123', 'http://…@host:8123'],
    ['http://me:12#cret@host:8123', 'http://…@host:8123'],
    ['http://me:se#cret@host:8123', 'http://…@host:8123'],
    ['http://me:se@/cret@host:8123', 'http://…@host:8123'],
    ['http://me:secret%@host:8123', 'http://me@host:8123'],
    ['me:secret@host:8123', '…@host:8123'],
    ['https://me:secret@host:port', 'https://…@host:port'],
  ])('is rejected with instructions: %s', (url, shown) => {
    expect(() => createStoreClient({ url })).toThrowError(
      expect.objectContaining({
        code: 'usage',
        message: expect.stringMatching(
          /^"[^"]+" is not a ClickHouse URL\..*Percent-encode.*CLICKHOUSE_PASSWORD/,
        ) as string,
      }),
    )
    expect(() => createStoreClient({ url })).toThrowError(`${JSON.stringify(shown)} is not a ClickHouse URL`)
    expect(() => createStoreClient({ url })).not.toThrowError(/cret/)
  })
})

it.each([
  ['http://me:p%40ss@host:8123/', 'http://me@host:8123'],
  ['https://host/?user=me&password=secret', 'https://host'],
  ['http://me:p:a@ss@host', 'http://me@host'],
  ['localhost:8123', 'localhost:8123'],
  ['ftp://me:secret@host', 'ftp://me@host'],
  ['nonsense', 'nonsense'],
])('%s is shown as %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown)
  expect(storeError(new Error('gone'), { url, database: 'otel' }).message).toContain(`ClickHouse at ${shown} does not`)
})
