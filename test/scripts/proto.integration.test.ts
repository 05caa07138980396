import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The generated files below a directory, by relative path. */
const generatedIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(directory, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('_pb.ts'))
      .map((path) => [path, readFileSync(join(directory, 'src', path), 'utf8')]),
  )

test('the generated messages match proto/: otherwise run `npm run proto`', () => {
  const directory = mkdtempSync(join(tmpdir(), 'planspan-proto-'))
  try {
    execFileSync('npm', ['run', '--silent', 'proto', '--', '--output', directory], { stdio: 'pipe' })
    expect(Object.keys(generatedIn(directory))).not.toEqual([])
    expect(generatedIn('.')).toEqual(generatedIn(directory))
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
})
