import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/**
 * Code that breaks a rule of CONTRIBUTING.md, with the path of its file and the expected message of the linter.
 */
const VIOLATIONS: readonly (readonly [rule: string, file: string, code: string, says: string])[] = [
  ['who may import whom', 'src/mapping/a.ts', "import '../generate/index.js'", 'must not import src/generate'],
  ['who may import whom', 'src/server/a.ts', "import '../tracing/index.js'", 'must not import src/tracing'],
  ['who may import whom', 'src/otlp/a.ts', "import '../mapping/index.js'", 'must not import src/mapping'],
  ['who may import whom', 'src/otlp/b.ts', "export * from '../mapping/index.js'", 'must not import src/mapping'],
  ['who may import whom', 'src/store/a.ts', "await import('../server/index.js')", 'must not import src/server'],
  ['who may import whom', 'src/tracing/live/a.ts', "import '../../cli/index.js'", 'must not import src/cli'],
  ['who may import whom', 'src/server/d.ts', "import '@planspan/sdk'", 'must not import src/sdk'],
  ['who may import whom', 'src/cli/d.ts', "import '../tracing/index.js'", 'must not import src/tracing'],
  ['the SDK is a package of its own', 'src/cli/e.ts', "import '../sdk/index.js'", "by the package's name"],
  ['the client runs anywhere', 'src/client/a.ts', "export * from '../server/index.js'", 'import types alone'],
  ['the client runs anywhere', 'src/client/b.ts', "import 'node:fs'", 'import types alone'],
  ['the client runs anywhere', 'src/client/c.ts', "import { z } from 'zod'\nexport const a = z", 'import types alone'],
  [
    'a layer is entered by its face',
    'src/tracing/a.ts',
    "import '../mapping/fold.js'",
    'Import an index.js of src/mapping',
  ],
  ['who may import whom', 'src/mcp/a.ts', "import '../server/index.js'", 'must not import src/server'],
  [
    'who may import whom',
    'src/client/d.ts',
    "import type { A } from '../server/index.js'\nexport type B = A",
    'server',
  ],
  ['who may import whom', 'src/index.ts', "import './server/index.js'", 'must not import src/server'],
  [
    'a room is entered by its face',
    'src/server/intake/a.ts',
    "import '../http/answers.js'",
    'the index.js of src/server/http',
  ],
  ['the wire takes types of the store', 'src/wire/a.ts', "export * from '../store/index.js'", 'imports types alone'],
  ['each file has a layer', 'src/helpers.ts', 'export const a = 1', 'belongs to no layer'],
  ['each file has a layer', 'src/helpers/a.ts', 'export const a = 1', 'belongs to no layer'],
  ['a pure layer does no I/O', 'src/records/a.ts', "import 'node:fs'", 'node:fs does more'],
  ['a pure layer has no clock', 'src/mapping/b.ts', 'export const at = Date.now()', "'Date.now' is restricted"],
  ['a pure layer has no clock', 'src/mapping/c.ts', 'export const at = new Date()', 'no clock'],
  ['a pure layer has no clock', 'src/redaction/a.ts', 'export const at = performance.now()', 'no clock'],
  ['a pure layer has no chance', 'src/generate/a.ts', 'export const at = Math.random()', "'Math.random' is restricted"],
  ['a pure layer has no environment', 'src/semconv/a.ts', "export const at = process.env['HOME']", 'no environment'],
  ['promises are awaited', 'src/server/b.ts', 'const f = async () => 1\nf()', 'Promises must be awaited'],
  ['promises are awaited', 'src/server/c.ts', 'const f = async () => 1\nexport const a = f() ? 1 : 2', 'conditional'],
  [
    'no long list is taken as arguments',
    'src/cli/b.ts',
    'export const add = (to: number[], all: number[]) => to.push(...all)',
    'exceeds the stack',
  ],
  [
    'no long list is taken as arguments',
    'src/cli/c.ts',
    'export const most = (all: number[]) => Math.max(...all)',
    'exceeds the stack',
  ],
  ['comments have at most 120 columns', 'src/cli/a.ts', `// ${'word '.repeat(25)}`, 'at most 120'],
  ['comments are in plain English', 'src/records/b.ts', '// What nobody was told.\nexport const at = 0', 'not "told"'],
  ['strings are in plain English', 'src/records/c.ts', "export const at = 'a record that is none'", 'not "is none"'],
]

/** The same code in places where it is allowed. */
const ALLOWED: readonly (readonly [file: string, code: string])[] = [
  ['src/cli/f.ts', "export * from '@planspan/sdk'"],
  ['src/server/index.ts', 'export const at = Date.now()\nexport type At = number'],
  ['src/wire/index.ts', 'export type At = number'],
  ['src/wire/record-path/index.ts', 'export const at = 1'],
  ['src/base/a.ts', 'export const at = 1'],
  ['src/records.ts', "export * from './mapping/index.js'"],
  [
    'src/client/index.ts',
    "import type { At } from '../wire/index.js'\nimport { at as other } from '../wire/record-path/index.js'\nexport const at: At = other",
  ],
  ['src/server/http/index.ts', 'export const at = 1'],
  ['src/server/intake/index.ts', "export * from '../http/index.js'\nexport * from '../../base/a.js'"],
  ['src/mapping/index.ts', "export * from '../semconv/index.js'\nexport const at = new Date(0)"],
  ['src/semconv/index.ts', "import { createHash } from 'node:crypto'\nexport const hash = createHash('sha256')"],
]

interface Report {
  readonly diagnostics: readonly { readonly filename: string; readonly message: string }[]
}

let found: Report['diagnostics']
let project: string

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'planspan-lint-'))
  for (const file of ['oxlint.config.mjs', 'tsconfig.json', 'package.json']) copyFileSync(file, join(project, file))
  for (const folder of ['lint', 'node_modules']) symlinkSync(resolve(folder), join(project, folder))
  for (const [file, code] of [...VIOLATIONS.map(([, file, code]) => [file, code] as const), ...ALLOWED]) {
    mkdirSync(dirname(join(project, file)), { recursive: true })
    writeFileSync(join(project, file), `${code}\n`)
  }
  found = await lint(project)
})

afterAll(() => {
  rmSync(project, { recursive: true })
})

const lint = (folder: string): Promise<Report['diagnostics']> =>
  new Promise((answer, fail) => {
    const oxlint = resolve('node_modules/.bin/oxlint')
    execFile(oxlint, ['-c', 'oxlint.config.mjs', '-f', 'json', 'src'], { cwd: folder }, (error, stdout, stderr) => {
      if (stdout === '') fail(error ?? new Error(stderr))
      else answer((JSON.parse(stdout) as Report).diagnostics)
    })
  })

const messagesOf = (file: string): string[] =>
  found.filter(({ filename }) => filename === file).map(({ message }) => message)

describe('the linter holds that', () => {
  test.each(VIOLATIONS)('%s: %s', (_, file, __, says) => {
    expect(messagesOf(file)).toContainEqual(expect.stringContaining(says))
  })

  test.each(ALLOWED)('%s may', (file) => {
    expect(messagesOf(file)).toEqual([])
  })
})
