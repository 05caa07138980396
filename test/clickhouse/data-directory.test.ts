import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

import { openDataDirectory, writing } from '../../src/clickhouse/data-directory.js'
import { temporaryDirectory } from './temporary-directory.js'

describe('opening a data directory', () => {
  it('creates it, with its parents, for this user only', () => {
    const path = join(temporaryDirectory(), 'a', 'b')
    const directory = openDataDirectory(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(existsSync(directory.store)).toBe(true)
  })

  it('removes other users’ access to its own files, and leaves other files of a shared directory unchanged', () => {
    const path = temporaryDirectory()
    const own = ['store', 'credentials.json', 'users.xml', 'clickhouse.log', 'clickhouse.log.0.gz']
    mkdirSync(join(path, 'store'))
    for (const name of [...own.slice(1), 'other.txt']) writeFileSync(join(path, name), '')
    for (const name of [...own, 'other.txt', '.']) chmodSync(join(path, name), 0o755)
    openDataDirectory(path)
    const open = (name: string) => statSync(join(path, name)).mode & 0o777
    expect(own.map(open)).toEqual(own.map(() => 0o700))
    expect(['.', 'other.txt'].map(open)).toEqual([0o755, 0o755])
  })

  it('rejects a path below a regular file', () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    const path = join(file, 'data')
    expect(() => openDataDirectory(path)).toThrowError(
      expect.objectContaining({ code: 'data_directory_unwritable', message: expect.stringContaining(path) }),
    )
  })

  it.runIf(existsSync('/dev/full'))('distinguishes a full disk from other errors', () => {
    expect(() => writing('/data', () => writeFileSync('/dev/full', 'x'))).toThrowError(
      expect.objectContaining({ code: 'disk_full', message: expect.stringContaining('/data') }),
    )
  })
})
