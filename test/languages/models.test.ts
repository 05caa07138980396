import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import { generatePlans } from '../../src/generate/index.js'
import { decodeRecord, encodeRecords, toStoredSpan, type DecodeOptions } from '../../src/mapping/index.js'
import type { StoredSpan } from '../../src/semconv/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { startServer, type RunningServer } from '../../src/server/index.js'
import { openApiDocument } from '../../src/server/openapi-document.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { FOREIGN_TRACES, foreignRows } from '../support/foreign-traces.js'

const [command = '', ...args] = inject('models') ?? []

type Format = 'atif' | 'chat' | 'openapi' | 'openmetrics' | 'prometheus'

/** The validation results of other projects' models for documents, by document name. */
function refusals(format: Format, documents: readonly (readonly [name: string, text: string])[]) {
  const input = documents.map(([, text]) => `${text.replaceAll(/\r?\n\s*/g, '')}\n`).join('')
  const { status, stdout, stderr } = spawnSync(command, [...args, format], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const answers = stdout.split('\n').slice(0, -1)
  expect(answers).toHaveLength(documents.length)
  return answers.flatMap((answer, at) => (answer === '' ? [] : [`${documents[at]![0]}: ${answer}`]))
}

const directory = new URL('../fixtures/', import.meta.url)
const SAMPLES = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?:atif|lynxe|trajectory|review-log|plan-act|seeds)\/.*\.(?:jsonl?|sse)$/.test(path))
  .filter((path) => !path.includes('.example.'))

const generated = (plans: number, until: number): [string, StoredSpan[]][] =>
  [...generatePlans({ plans, days: 3, seed: 'models', until })].map(({ spans }, at) => [
    `generated plan ${at}`,
    spans.map(toStoredSpan),
  ])

const PLANS: Readonly<Record<string, () => (readonly [string, readonly StoredSpan[]])[]>> = {
  '300 generated plans of all systems, some of them in flight': () => generated(300, Date.UTC(2026, 2, 4, 12)),
  'the samples of all systems': () =>
    SAMPLES.flatMap((path) =>
      [...encodeRecords(readFileSync(new URL(path, directory)))].map(
        ({ spans }) => [path, spans.map(toStoredSpan)] as const,
      ),
    ),
  'the recorded traces of other instrumentations': () =>
    FOREIGN_TRACES.map(({ file }) => [file, foreignRows(file)] as const),
}

const textOf = (rows: readonly StoredSpan[], options: DecodeOptions): string => decodeRecord(rows, options)?.text ?? ''

describe.each(Object.entries(PLANS))('other projects’ models accept %s', { timeout: 300_000 }, (_, plans) => {
  test.skipIf(command === '')('as trajectories in the interchange format', () => {
    const documents = plans().map(([name, rows]) => [name, textOf(rows, { format: 'atif' })] as const)
    expect(refusals('atif', documents)).toEqual([])
  })

  test.skipIf(command === '').each(['conversation', 'call'] as const)(
    'as messages for training, a %s a line',
    (unit) => {
      const lines = plans().flatMap(([name, rows]) =>
        textOf(rows, { format: 'chat', chatUnit: unit })
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => [name, line] as const),
      )
      expect(lines.length).toBeGreaterThan(0)
      expect(refusals('chat', lines)).toEqual([])
    },
  )
})

test.skipIf(command === '')('they accept the document of the HTTP interface', () => {
  expect(refusals('openapi', [['/openapi.json', JSON.stringify(openApiDocument())]])).toEqual([])
})

describe.skipIf(command === '')('metrics', () => {
  let fresh: FreshDatabase
  let server: RunningServer
  beforeAll(async () => {
    fresh = await freshDatabase()
    server = await startServer({ clickhouse: fresh.url, database: fresh.database, port: 0 })
    const plans = [...generatePlans({ plans: 20, days: 1, seed: 'metrics', until: Date.UTC(2026, 2, 4) })]
    await createSpanSender({ url: `${server.url}/v1/traces` }).send(plans.flatMap(({ spans }) => spans))
  })
  afterAll(async () => {
    await server.close()
    await fresh.drop()
  })

  const metricsAs = async (accept: string): Promise<string> =>
    (await fetch(`${server.url}/metrics`, { headers: { accept } })).text()

  test.each([
    ['openmetrics', 'application/openmetrics-text'],
    ['prometheus', 'text/plain'],
  ] as const)('are read by Prometheus’ own client as %s', async (format, accept) => {
    await expect.poll(() => metricsAs(accept), { timeout: 30_000 }).toContain('planspan_plans{')
    const text = await metricsAs(accept)
    expect(refusals(format, [['/metrics', JSON.stringify(text)]])).toEqual([])
    expect(refusals(format, [['half a line', JSON.stringify(`${text}planspan_{`)]])).toHaveLength(1)
  })
})

test.skipIf(command === '')('they reject invalid documents', () => {
  expect(
    refusals('openapi', [['no paths', '{"openapi":"3.1.1","info":{"title":"t","version":"1"},"paths":1}']]),
  ).toHaveLength(1)
  expect(
    refusals('atif', [
      [
        'a step too far',
        '{"schema_version":"ATIF-v1.8","agent":{"name":"a","version":"1"},"steps":[{"step_id":2,"source":"user","message":""}]}',
      ],
    ]),
  ).toHaveLength(1)
  expect(refusals('chat', [['a robot', '{"messages":[{"role":"robot","content":"beep"}]}']])).toHaveLength(1)
})
