import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

import { addReader, readOrCreateCredentials, removeReader, tenantsOf } from '../../src/clickhouse/credentials.js'
import { openDataDirectory } from '../../src/clickhouse/data-directory.js'
import { temporaryDirectory } from './temporary-directory.js'

describe('the credentials of a data directory', () => {
  it('are generated once, and only their owner can read them', () => {
    const directory = openDataDirectory(temporaryDirectory())
    const first = readOrCreateCredentials(directory)
    expect(readOrCreateCredentials(directory)).toEqual(first)
    expect(statSync(directory.credentials).mode & 0o777).toBe(0o600)
    expect(first.planspan).toMatch(/^[\w-]{32}$/)
    expect(first.planspan_reader).not.toBe(first.planspan)
  })

  it('include a reader for each tenant, generated once', () => {
    const directory = openDataDirectory(temporaryDirectory())
    const { planspan } = readOrCreateCredentials(directory)
    addReader(directory, 'acme')
    addReader(directory, 'globex')
    const first = readOrCreateCredentials(directory)
    addReader(directory, 'acme')
    expect(readOrCreateCredentials(directory)).toEqual(first)
    expect(first).toMatchObject({ planspan, planspan_reader_acme: expect.stringMatching(/^[\w-]{32}$/) as string })
    removeReader(directory, 'acme')
    expect(tenantsOf(readOrCreateCredentials(directory))).toEqual(['globex'])
  })

  it('differ from directory to directory', () => {
    const [one, other] = [temporaryDirectory(), temporaryDirectory()].map((path) =>
      readOrCreateCredentials(openDataDirectory(path)),
    )
    expect(one?.planspan).not.toBe(other?.planspan)
  })

  it.each(['', 'null', '{}', '{"planspan": 1, "planspan_reader": "x"}'])('cannot be read from %j', (text) => {
    const directory = openDataDirectory(temporaryDirectory())
    writeFileSync(directory.credentials, text)
    expect(() => readOrCreateCredentials(directory)).toThrowError(/Delete the file/)
    expect(readFileSync(directory.credentials, 'utf8')).toBe(text)
  })
})
