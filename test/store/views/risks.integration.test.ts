import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isActionTaken } from '../../../src/mapping/action-taken.js'
import { buildForest, foldSpans, walk } from '../../../src/mapping/index.js'
import { ATTR, LINK_TYPES, type StoredSpan } from '../../../src/semconv/index.js'
import { execute } from '../../support/clickhouse.js'
import { finalRow, snapshotRow, spanIdOf } from '../../support/live-rows.js'
import { freshStore, type FreshStore } from '../fresh-store.js'
import { insertStoredSpans } from '../spans.js'

let { store, fresh, close } = {} as FreshStore

beforeAll(async () => {
  ;({ store, fresh, close } = await freshStore())
})

afterAll(() => close())

const start = fc.integer({ min: 0, max: 5 })
const tool = fc.constantFrom('send', 'delete')
const callId = fc.constantFrom('1', '2', '3')

const guardrail = fc.record(
  {
    start,
    name: tool,
    callId,
    taken: fc.boolean(),
    index: fc.constant('0'),
    synthetic: fc.constant(true),
  },
  { requiredKeys: ['start'] },
)
const call = fc.record({
  start,
  name: tool,
  callId,
  guardedBy: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 3 }),
  isOver: fc.boolean(),
})
/** A cycle: its guardrails, its tool calls, and whether it is over. */
const cycle = fc.record({
  guardrails: fc.array(guardrail, { minLength: 1, maxLength: 4 }),
  calls: fc.array(call, { maxLength: 4 }),
  isOver: fc.boolean(),
})

type Cycle = typeof cycle extends fc.Arbitrary<infer T> ? T : never

function spansOf({ guardrails, calls, isOver }: Cycle, traceId: string): StoredSpan[] {
  const told = (attributes: Record<string, string | undefined>): Record<string, string> =>
    Object.fromEntries(Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined))
  const thinkAct = { id: 'c', role: 'think_act', start: 0, end: 9 } as const
  const rows = [
    isOver ? finalRow(thinkAct) : snapshotRow(thinkAct, 0),
    ...guardrails.map(({ start, name, callId, taken, index, synthetic }, place) =>
      finalRow({
        id: `g${place}`,
        role: 'guardrail',
        parent: 'c',
        start,
        attributes: told({
          [ATTR.riskScore]: '0.9',
          [ATTR.toolName]: name,
          [ATTR.toolCallId]: callId,
          [ATTR.riskActionTaken]: taken?.toString(),
          [ATTR.riskActionIndex]: index,
          [ATTR.timeSynthetic]: synthetic?.toString(),
        }),
      }),
    ),
    ...calls.map(({ start, name, callId, guardedBy, isOver }, place) => {
      const row = {
        id: `t${place}`,
        role: 'tool',
        parent: 'c',
        start,
        attributes: { [ATTR.toolName]: name, [ATTR.toolCallId]: callId },
      } as const
      const links =
        guardedBy === undefined
          ? []
          : [{ traceId, spanId: spanIdOf(`g${guardedBy}`), attributes: { [ATTR.linkType]: LINK_TYPES.guards } }]
      return { ...(isOver ? finalRow(row) : snapshotRow(row, 0)), links }
    }),
  ]
  return rows.map((row) => ({ ...row, traceId }))
}

const CASES = 300

test('the view tells of every assessment what the record tells: whether its action was taken', async () => {
  const cycles = fc.sample(cycle, CASES)
  const traces = cycles.map((one, index) => spansOf(one, String(index + 1).padStart(32, '0')))
  await insertStoredSpans(store.client, fresh.database, traces.flat())
  const expected = traces.flatMap((rows) =>
    buildForest(foldSpans(rows)).flatMap((root) =>
      [...walk(root)]
        .filter(({ role }) => role === 'guardrail')
        .map((node) => [node.span.traceId, node.span.spanId, isActionTaken(node) ?? null]),
    ),
  )
  const answer = await execute(
    fresh.url,
    `SELECT TraceId, SpanId, ActionTaken FROM ${fresh.database}.risks FORMAT JSONCompactEachRow`,
  )
  const rows = answer
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown[])
  expect(rows.map((row) => JSON.stringify(row)).toSorted()).toEqual(
    expected.map((row) => JSON.stringify(row)).toSorted(),
  )
})
