import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('../../scripts/test-frameworks.mjs', import.meta.url))

/** Runs the script with a missing program as Python. */
const withoutPython = (args: string[], CI?: string) =>
  spawnSync(process.execPath, [SCRIPT, ...args], {
    env: { PATH: '', PYTHON: 'no-python-here', ...(CI === undefined ? {} : { CI }) },
    encoding: 'utf8',
  })

describe('without Python', () => {
  it('skips its frameworks, and explains how to install it', () => {
    const { status, stdout, stderr } = withoutPython(['pydantic-ai'])
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toContain('Skipped: pydantic-ai. no-python-here is not Python 3.10 or newer')
    expect(stderr).toContain('Install it (https://www.python.org')
  })

  it('fails in CI', () => {
    const { status, stderr } = withoutPython(['pydantic-ai'], 'true')
    expect(status).toBe(1)
    expect(stderr).toContain('Install it')
  })
})

it('an unknown framework is wrong usage', () => {
  const { status, stderr } = withoutPython(['pydantic'])
  expect(status).toBe(2)
  expect(stderr).toMatch(/There is no pydantic in test\/frameworks\. Known: .*agno, ai, anthropic-python, autogen/)
})
