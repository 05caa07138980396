import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { openDataDirectory } from '../../src/clickhouse/data-directory.js'
import { readerGrants } from '../../src/clickhouse/reader-grants.js'
import { temporaryDirectory } from './temporary-directory.js'

function grantsOf(
  stored: readonly string[],
  named: readonly string[],
  options?: Parameters<typeof readerGrants>[2],
): string[] {
  const directory = openDataDirectory(temporaryDirectory())
  mkdirSync(directory.metadata)
  for (const file of stored) writeFileSync(join(directory.metadata, file), '')
  return readerGrants(directory, named, options)
    .filter((grant) => !/ON (system|information_schema)\./i.test(grant))
    .map((grant) => grant.replace('GRANT SELECT ON ', ''))
}

describe('the reader may select', () => {
  it.each([
    ['from what was named', [], ['otel'], ['`otel`.*']],
    ['from what is there', ['default.sql', 'otel.sql'], [], ['`default`.*', '`otel`.*']],
    ['once from what is both', ['otel.sql'], ['otel'], ['`otel`.*']],
    ['from all that begins as named', [], ['test_*'], ['`test_`*.*']],
    ['from names that ClickHouse escapes in files', ['my%2Ddb%20%C3%A9.sql'], [], ['`my-db é`.*']],
    ['from names with what quotes a name', [], ['a`.* b\\'], ['`a\\`.* b\\\\`.*']],
    ['from nothing of ClickHouse’s own', ['system.sql', 'otel', 'otel.sql.tmp'], [], []],
  ])('%s', (_, stored, named, expected) => {
    expect(grantsOf(stored, named)).toEqual(expected)
  })

  it('except from tenants’ databases, which have their own readers, unless they are named', () => {
    const tenants = { tenants: ['acme', 'globex'] }
    expect(grantsOf(['acme.sql', 'globex.sql', 'otel.sql'], ['globex'], tenants)).toEqual(['`otel`.*', '`globex`.*'])
  })

  it('only from the named databases on request', () => {
    expect(grantsOf(['other.sql', 'otel.sql'], ['otel'], { isNamedAlone: true })).toEqual(['`otel`.*'])
  })
})
