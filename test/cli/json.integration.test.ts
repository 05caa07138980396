import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { COMMANDS } from '../../src/cli/commands.js'
import { runCli, startServe, type Serving } from './run-cli.js'

const RECORD = fileURLToPath(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url))
const ID = 'plan-1767061562002'
/** Other commands send other plans. */
const SOURCE = 'of-this-test'
const ERASED = 'to-be-erased'

let directory: string
let serving: Serving

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(directory, 'data')])
  for (const source of [SOURCE, ERASED]) {
    await runCli(['import', RECORD, '--source', source, '--endpoint', serving.line.url])
  }
  writeFileSync(join(directory, 'rules.yaml'), 'rules: [{ name: a, state: waiting }]')
  // The directory that set-aside accepts as an empty data directory.
  mkdirSync(join(directory, 'aside/store/metadata'), { recursive: true })
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

const at = () => ['--endpoint', serving.line.url]
const inFile = () => ['--tokens', join(directory, 'tokens.json')]
const ofData = () => ['--data', join(directory, 'data')]
const ofSource = () => ['--source', SOURCE, ...at()]

/** Each command with its output: a single document, or a document per line. */
const RUNS: Readonly<Record<string, readonly { args: () => string[]; prints: object[] }[]>> = {
  import: [{ args: () => [RECORD, ...at()], prints: [{ file: RECORD, records: 1, spans: 4, planIds: [ID], bad: [] }] }],
  follow: [
    {
      args: () => [RECORD, '--once', '--state', join(directory, 'state.json'), ...ofSource()],
      prints: [
        { event: 'imported', planId: ID, state: 'waiting' },
        { event: 'ended', records: 1 },
      ],
    },
  ],
  validate: [{ args: () => [RECORD], prints: [{ total: 1, valid: 1 }] }],
  replay: [{ args: () => [RECORD], prints: [{}] }],
  list: [
    { args: ofSource, prints: [{ planId: ID, state: 'waiting' }] },
    {
      args: () => ['--facets', ...ofSource()],
      prints: [{ plans: 1, facets: { state: [{ value: 'waiting', plans: 1 }] } }],
    },
  ],
  show: [
    { args: () => [ID, ...ofSource()], prints: [JSON.parse(readFileSync(RECORD, 'utf8')) as object] },
    { args: () => [ID, '--verdict', ...ofSource()], prints: [{ verdict: 'complete', state: 'waiting' }] },
  ],
  open: [{ args: () => [ID, ...at()], prints: [{ url: expect.stringMatching(/\/plans\/plan-\d+$/) as string }] }],
  compare: [{ args: () => [ID, ID, '--source', SOURCE, ...ofSource()], prints: [{ comparisons: [{ isSame: true }] }] }],
  export: [
    { args: ofSource, prints: [{ planId: ID, verdict: 'complete' }] },
    {
      args: () => ['--out', join(directory, 'all.jsonl'), ...ofSource()],
      prints: [{ file: expect.stringMatching(/all\.jsonl$/) as string, records: 1, problems: 0 }],
    },
  ],
  check: [
    {
      args: () => [join(directory, 'rules.yaml'), ...ofSource()],
      prints: [{ planId: ID, passed: ['a'], findings: [] }],
    },
    { args: () => ['--schema'], prints: [{ required: ['rules'] }] },
  ],
  verify: [{ args: () => [RECORD, ...at()], prints: [{ file: RECORD, identical: true, records: 1, differences: [] }] }],
  generate: [{ args: () => ['--plans', '2', ...at()], prints: [{ plans: 2, seed: '1', reasons: [] }] }],
  tenant: [
    {
      args: () => ['create', 'acme', ...ofData()],
      prints: [{ database: 'acme', reader: 'planspan_reader_acme', embedded: { isReaderToCome: true }, grant: null }],
    },
    {
      args: () => ['list', ...ofData()],
      prints: [
        {
          tenants: [
            { database: 'acme', rows: 0, schema: 'current' },
            { database: 'otel', rows: expect.any(Number) as number, lastSpan: expect.any(String) as string },
          ],
        },
      ],
    },
    { args: () => ['drop', 'acme', '--yes', ...ofData()], prints: [{ dropped: 'acme', revoked: [] }] },
  ],
  token: [
    {
      args: () => ['create', 'ci', '--scope', 'ingest', '--expires', '90d', ...inFile()],
      prints: [{ name: 'ci', scopes: ['ingest'], token: expect.stringMatching(/^planspan_[\w-]{43}$/) as string }],
    },
    { args: () => ['list', ...inFile()], prints: [{ tokens: [{ name: 'ci', scopes: ['ingest'] }] }] },
    { args: () => ['revoke', 'ci', ...inFile()], prints: [{ name: 'ci', isRevoked: true }] },
  ],
  schema: [{ args: () => [], prints: [{ sql: expect.stringContaining('CREATE TABLE') as string }] }],
  index: [
    {
      args: () => ['--since', '1d', ...ofData()],
      prints: [{ database: 'otel', failedTraces: 0, reindexedTraces: expect.any(Number) as number }],
    },
  ],
  'set-aside': [{ args: () => ['--data', join(directory, 'aside')], prints: [{ tables: [] }] }],
  backup: [
    {
      args: () => [join(directory, 'all.tar'), '--data', join(directory, 'data')],
      prints: [
        {
          file: expect.stringMatching(/all\.tar$/) as string,
          databases: ['otel'],
          heldMs: expect.any(Number) as number,
        },
      ],
    },
  ],
  restore: [
    { args: () => [join(directory, 'all.tar'), '--check'], prints: [{ databases: ['otel'], restored: null }] },
    {
      args: () => [join(directory, 'all.tar'), '--data', join(directory, 'restored')],
      prints: [{ databases: ['otel'], restored: expect.stringMatching(/restored$/) as string }],
    },
  ],
  doctor: [
    {
      args: at,
      prints: [{ findings: expect.arrayContaining([{ level: 'ok', text: expect.anything() as unknown }]) as unknown }],
    },
    { args: () => ['--trace', 'f'.repeat(32), ...at()], prints: [] },
  ],
  demo: [{ args: () => ['--once'], prints: [{ verdict: 'complete', state: 'completed', dialect: 'plan-execution' }] }],
  delete: [{ args: () => [ID, '--source', ERASED, '--yes', ...at()], prints: [{ erased: ID }] }],
}

/** A protocol, and a script. */
const OTHERWISE: ReadonlySet<string> = new Set(['mcp', 'completion'])

test('these cases cover every command with --json, and its help lists the option', async () => {
  const withJson = Object.entries(COMMANDS).filter(([name]) => !OTHERWISE.has(name))
  expect(Object.keys({ ...RUNS, serve: [] }).toSorted()).toEqual(withJson.map(([name]) => name).toSorted())
  const commands = await Promise.all(withJson.map(async ([name, { load }]) => ({ name, ...(await load()).command })))
  expect(commands.filter(({ options }) => options['json']?.type !== 'boolean').map(({ name }) => name)).toEqual([])
})

test('serve prints a line of JSON', () => {
  expect(serving.line).toMatchObject({ url: expect.stringMatching(/^http/) as string })
})

const cases = Object.entries(RUNS).flatMap(([name, runs]) => runs.map((run) => ({ name, ...run })))

describe.each(cases)('$name --json', ({ name, args, prints }) => {
  test('prints JSON and nothing else', async () => {
    const { out } = await runCli([name, ...args(), '--json'])
    expect(documentsOf(out)).toMatchObject(prints)
  })
})

/** Parses one document, on any number of lines, or one on each line. */
function documentsOf(out: string): unknown[] {
  try {
    return [JSON.parse(out)]
  } catch {
    return out
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line))
  }
}
