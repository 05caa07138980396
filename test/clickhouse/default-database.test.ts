import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { openDataDirectory } from '../../src/clickhouse/data-directory.js'
import { keepDefaultDatabase } from '../../src/clickhouse/file-access.js'
import { temporaryDirectory } from './temporary-directory.js'

const uuid = 'e384b7f4-2543-4234-84eb-b020ed971aef'

function keptWith(prepare: (metadata: string) => void): string {
  const directory = openDataDirectory(temporaryDirectory())
  mkdirSync(directory.metadata)
  prepare(directory.metadata)
  keepDefaultDatabase(directory)
  return readFileSync(join(directory.metadata, 'default.sql'), 'utf8')
}

describe('the database `default`', () => {
  it('is created if it is missing', () => {
    expect(keptWith(() => {})).toMatch(/^ATTACH DATABASE _ UUID '[\da-f-]{36}'\nENGINE = Atomic\n$/)
  })

  it('keeps the tables that clickhouse-local created', () => {
    const kept = keptWith((metadata) => symlinkSync(`../store/e38/${uuid}`, join(metadata, 'default')))
    expect(kept).toContain(uuid)
  })

  it('is unchanged if it already exists as a database', () => {
    expect(keptWith((metadata) => writeFileSync(join(metadata, 'default.sql'), 'as it is'))).toBe('as it is')
  })
})
