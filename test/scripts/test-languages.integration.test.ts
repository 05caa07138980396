import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const directory = mkdtempSync(join(tmpdir(), 'planspan-no-languages-'))
afterAll(() => rmSync(directory, { recursive: true }))

const script = fileURLToPath(new URL('../../scripts/test-languages.mjs', import.meta.url))

/** Runs the tests on a machine with Node.js only. */
const withNodeAlone = (CI: string | undefined) =>
  spawnSync(process.execPath, [script], {
    env: { PATH: directory, PLANSPAN_BUILD_CACHE: join(directory, 'cache'), ...(CI === undefined ? {} : { CI }) },
    encoding: 'utf8',
  })

test('without their languages the examples are skipped, with an explanation of how to install these', () => {
  const { status, stdout, stderr } = withNodeAlone(undefined)
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(/^Skipped, the examples in python were not run\. .*Install Python/),
    expect.stringMatching(/^Skipped, the examples in go were not run\. .*Install Go/),
    expect.stringMatching(/^Skipped, the examples in java were not run\. .*Install Java/),
    expect.stringMatching(/^Skipped, the models of others in Python were not asked\. .*Install it/),
  ])
})

test('in CI a missing language is a failure', () => {
  expect(withNodeAlone('true')).toMatchObject({ status: 1, stderr: expect.stringContaining('Install Go') })
})
