import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const directory = mkdtempSync(join(tmpdir(), 'planspan-no-go-'))
afterAll(() => rmSync(directory, { recursive: true }))

const script = (name: string) => fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url))

/** Runs a script on a machine without Go and without earlier builds. */
const withoutGo = (name: string, args: string[], CI: string | undefined) =>
  spawnSync(process.execPath, [script(name), ...args], {
    env: { PATH: directory, PLANSPAN_BUILD_CACHE: join(directory, 'cache'), ...(CI === undefined ? {} : { CI }) },
    encoding: 'utf8',
  })

describe('without Go', () => {
  it('skips the collector’s tests, and explains how to install Go', () => {
    const { status, stdout, stderr } = withoutGo('test-collector.mjs', [], undefined)
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toContain('Skipped, no test was run')
    expect(stderr).toContain('Install Go 1.26 or newer (https://go.dev/dl')
  })

  it('fails in CI', () => {
    const { status, stderr } = withoutGo('test-collector.mjs', [], 'true')
    expect(status).toBe(1)
    expect(stderr).toContain('Install Go')
  })

  it('a build fails', () => {
    expect(withoutGo('build-go-binary.mjs', ['collector'], undefined)).toMatchObject({ status: 1, stdout: '' })
  })
})

it('an unknown program is wrong usage', () => {
  const { status, stderr } = withoutGo('build-go-binary.mjs', ['colector'], undefined)
  expect(status).toBe(2)
  expect(stderr).toContain('There is no colector to build. Known: collector')
})
