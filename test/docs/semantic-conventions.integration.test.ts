import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('docs/semantic-conventions.md matches the field tables', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
