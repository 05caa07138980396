import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { kindRuleOf } from '../../../src/mapping/adopt/kind-of.js'
import { KIND_RULES } from '../../../src/mapping/adopt/kind-rules.js'
import { NAME, SCOPE } from '../../../src/mapping/adopt/kind.js'
import { FAILURES } from '../../../src/mapping/adopt/places.js'
import type { StoredSpan } from '../../../src/semconv/index.js'
import { readRows } from '../../../src/store/query.js'
import { FOREIGN_TRACES, foreignRows } from '../../support/foreign-traces.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertSpans, insertStoredSpans, type TestSpan } from '../spans.js'

let server: FreshStore
beforeAll(async () => {
  server = await freshStore()
})
afterAll(() => server.close())

interface Row {
  SpanId: string
  Convention: string
  Kind: string
  Failed: number
}

async function storedOf(trace: string): Promise<Map<string, Row>> {
  const { client, database } = server.store
  const rows = await readRows<Row>(
    { client, database, url: server.fresh.url },
    `SELECT SpanId, Convention, Kind, Failed FROM ${database}.foreign_spans FINAL WHERE TraceId = {trace:String}`,
    { trace },
  )
  return new Map(rows.map((row) => [row.SpanId, row]))
}

type Told = Pick<StoredSpan, 'spanId' | 'name' | 'scopeName' | 'attributes'>

/** What the rules of the mapping tell of a span; nothing for one that is not kept. */
function kindOf(span: Told): [convention: string, kind: string] | undefined {
  if (span.attributes['logfire.span_type'] === 'log') return undefined
  const rule = kindRuleOf(span as StoredSpan)
  return rule === undefined || rule.kind === 'none' ? undefined : [rule.convention, rule.kind]
}

const storedKind = (row: Row | undefined) => row && [row.Convention, row.Kind]

it.each(FOREIGN_TRACES)('the spans of $file are what the rules of the mapping tell', async ({ file }) => {
  const spans = foreignRows(file)
  const { client, database } = server.store
  await insertStoredSpans(client, database, spans)
  const found = await storedOf(spans[0]?.traceId ?? '')
  for (const span of spans) {
    if (span.attributes['logfire.span_type'] === 'pending_span') continue
    expect([span.name, storedKind(found.get(span.spanId))]).toEqual([span.name, kindOf(span)])
  }
})

it('a snapshot of Logfire’s is a row of the span that it shows, below the parent that it tells', async () => {
  const traceId = 'c'.repeat(32)
  const snapshot = (parent: string): Record<string, string> => ({
    'logfire.msg_template': 'Agent run: {name!r}',
    'logfire.span_type': 'pending_span',
    'logfire.pending_parent_id': parent,
  })
  await insertSpans(server.store.client, server.store.database, [
    { traceId, spanId: 'a1', parentSpanId: '00000000000000b1', attributes: snapshot('0000000000000000') },
    { traceId, spanId: 'a2', parentSpanId: '00000000000000b2', attributes: snapshot('00000000000000b1') },
  ])
  const { client, database } = server.store
  const rows = await readRows(
    { client, database, url: server.fresh.url },
    `SELECT SpanId, ParentSpanId, Ended FROM ${database}.foreign_spans WHERE TraceId = {trace:String} ORDER BY SpanId`,
    { trace: traceId },
  )
  expect(rows).toEqual([
    { SpanId: '00000000000000b1', ParentSpanId: '', Ended: 0 },
    { SpanId: '00000000000000b2', ParentSpanId: '00000000000000b1', Ended: 0 },
  ])
})

describe('a span', () => {
  /** What an expression of a rule may match, and what it may not. */
  const VALUES = [
    'agent',
    'AGENT',
    'llm',
    'LLM',
    'TOOL',
    'CHAIN',
    'chain',
    'none',
    'error',
    'ERROR',
    '17',
    '9',
    'false',
    '',
  ]
  const texts = KIND_RULES.flatMap(({ when }) => Object.values(when)).filter((expected) => typeof expected === 'string')
  const value = fc.constantFrom(
    ...VALUES,
    ...texts,
    'tool_call',
    'ai.generateText',
    'ai.x.doStream',
    'a\nb=c\td',
    "it's \\",
  )
  const keys = [...new Set([...KIND_RULES.flatMap(({ when }) => Object.keys(when)), ...Object.keys(FAILURES)])]
  const names = [
    'turn',
    'Step 3',
    'handoff to b',
    'x.success-1',
    'agent.a.start-2',
    'my plan',
    'a run',
    'running 2 tools',
  ]
  const span = fc.record({
    name: fc.constantFrom(...names, ...texts, 'running tool', 'Task: x', 'Agent run: a'),
    scopeName: fc.constantFrom('planspan', 'x.beeai'),
    attributes: fc.dictionary(fc.constantFrom(...keys.filter((key) => key !== NAME && key !== SCOPE)), value, {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  })

  const isSaid = (key: string, told: string | undefined): boolean => {
    const expected = FAILURES[key]
    if (told === undefined || expected === undefined) return false
    return typeof expected === 'string' ? told === expected : expected.test(told)
  }

  it('is of the kind that the first rule tells, whatever it has, and has failed if an attribute says so', async () => {
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.array(span, { minLength: 200, maxLength: 200 }), async (given) => {
        const traceId = (++runs).toString(16).padStart(32, 'a')
        const spans = given.map((one, at) => ({ ...one, spanId: at.toString(16).padStart(16, '0') }))
        const rows = spans.map(({ scopeName, ...rest }): TestSpan => ({ traceId, scope: scopeName, ...rest }))
        await insertSpans(server.store.client, server.store.database, rows)
        const found = await storedOf(traceId)
        for (const one of spans) {
          const row = found.get(one.spanId)
          expect([one, storedKind(row)]).toEqual([one, kindOf(one)])
          const hasFailed = Object.entries(one.attributes).some(([key, told]) => isSaid(key, told))
          if (row) expect([one, row.Failed === 1]).toEqual([one, hasFailed])
        }
      }),
      { numRuns: 10 },
    )
  })
})
