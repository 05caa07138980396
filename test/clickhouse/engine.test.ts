import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'

import { locateEngine } from '../../src/clickhouse/engine.js'

describe('locating the engine', () => {
  it('finds the library and ffi-rs from any working directory', () => {
    const engine = locateEngine()
    expect(existsSync(engine.library)).toBe(true)
    expect(existsSync(engine.ffi)).toBe(true)
  })

  it('names the command that installs the packages when they are missing', () => {
    const from = pathToFileURL(join(tmpdir(), 'nowhere', 'module.js'))
    expect(() => locateEngine({ from })).toThrowError(
      expect.objectContaining({
        code: 'missing_dependency',
        message: expect.stringContaining('npm install chdb ffi-rs'),
      }),
    )
  })

  it.each(['win32-x64', 'linux-riscv64', 'freebsd-x64'])('suggests an external server on %s', (platform) => {
    expect(() => locateEngine({ platform })).toThrowError(
      expect.objectContaining({ code: 'unsupported_platform', message: expect.stringContaining('--clickhouse URL') }),
    )
  })
})
