import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { openDataDirectory, writing } from '../../src/clickhouse/data-directory.js'
import { temporaryDirectory } from './temporary-directory.js'

describe('opening a data directory', () => {
  it('creates it, with its parents, for this user alone', () => {
    const path = join(temporaryDirectory(), 'a', 'b')
    const directory = openDataDirectory(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(existsSync(directory.store)).toBe(true)
  })

  it('refuses a path below a regular file', () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const path = join(file, 'data')
    expect(() => openDataDirectory(path)).toThrowError(
      expect.objectContaining({ code: 'data_directory_unwritable', message: expect.stringContaining(path) }),
    )
  })

  it.runIf(existsSync('/dev/full'))('tells a full disk from other trouble', () => {
    expect(() => writing('/data', () => writeFileSync('/dev/full', 'x'))).toThrowError(
      expect.objectContaining({ code: 'disk_full', message: expect.stringContaining('/data') }),
    )
  })
})
