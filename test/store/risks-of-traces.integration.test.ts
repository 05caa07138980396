import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { ATTR, OPERATIONS } from '../../src/semconv/index.js'
import { judgedActions } from '../../src/store/judged-actions.js'
import { querySql } from '../../src/store/query.js'
import { risksOfTraces } from '../../src/store/risks-of-traces.js'
import { planAttributes } from './spans.js'
import { DAY, openTraceStore, traceId, type TraceStore } from './trace-store.js'

let opened: TraceStore

const NAMES = ['monday', 'tuesday', 'wednesday']

beforeAll(async () => {
  opened = await openTraceStore()
  for (const [day, name] of NAMES.entries()) {
    await opened.insert([
      {
        traceId: name,
        spanId: `${day}`.repeat(16),
        start: day * DAY,
        name: `${OPERATIONS.guardrail} policy`,
        attributes: { ...planAttributes({ planId: name }), [ATTR.spanKind]: 'guardrail', [ATTR.riskIsSafe]: 'false' },
      },
    ])
  }
})

afterAll(() => opened.close())

describe('what guardrails judged in plans', () => {
  it('is told of those that are asked for', async () => {
    const { store, fresh } = opened
    const target = { client: store.client, url: fresh.url, database: fresh.database }
    const plan = { traceId: traceId('tuesday'), planId: 'tuesday', live: true }
    expect(await judgedActions(target, [plan])).toMatchObject([{ judged: 1, unsafe: 1 }])
  })

  it('is looked for in the days of their traces, before any index tells of traces', async () => {
    const { store, fresh } = opened
    const { database } = fresh
    const result = await store.client.query({
      query: `EXPLAIN indexes = 1 ${querySql('judged_actions', { database, risks: risksOfTraces(database) })}`,
      query_params: { traceIds: [traceId('tuesday')] },
      format: 'TabSeparatedRaw',
    })
    const reads = (await result.text())
      .split('ReadFromMergeTree')
      .filter((read) => read.startsWith(` (${database}.otel_traces)`))
    const parts = reads.map((read) => /Parts: (\d+\/\d+)/.exec(read)?.[1])
    expect(parts).toEqual(['1/3', '1/3', '1/3'])
  })
})
