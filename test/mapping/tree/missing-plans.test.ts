import { expect, it } from 'vitest'

import { decodeRecord, traceFacts, treeSpans } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'

const T0 = 1_000_000_000_000n
const SILENCE = 30_000_000_000n

const OF_PLAN = { [ATTR.planId]: 'p', [ATTR.planRootId]: 'p', [ATTR.conversationId]: 'talk' }

const own = (spanId: string, attributes: Record<string, string>, parentSpanId: string, start = T0): StoredSpan => ({
  traceId: 't',
  spanId,
  parentSpanId,
  name: spanId,
  kind: 'Internal',
  startTimeUnixNano: start,
  endTimeUnixNano: start,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes: { ...OF_PLAN, ...attributes },
  events: [],
  links: [],
  serviceName: 'worker',
  scopeName: '',
  resourceAttributes: {},
})

/** The only spans of an agent that was killed: a call below a cycle and a plan whose spans never came. */
const LEFT = [
  own('tool', { [ATTR.spanKind]: 'tool', [ATTR.toolName]: 'search' }, 'cycle', T0 + 5n),
  own('agent', { [ATTR.spanKind]: 'agent', [ATTR.agentName]: 'worker' }, 'root'),
]

const lastHeard = LEFT.reduce((last, span) => (span.endTimeUnixNano > last ? span.endTimeUnixNano : last), 0n)
const factsOf = (rows: readonly StoredSpan[]) => traceFacts(rows, () => undefined).plans

it('a plan whose root never came has a partial record', () => {
  const record = decodeRecord(LEFT, { planId: 'p', now: lastHeard })
  expect(record).toMatchObject({ planId: 'p', verdict: 'partial', state: 'running' })
  expect(record?.missing).toContain('the span of the plan')
  expect(record?.text).toContain('worker')
})

it('is interrupted after the default interval of heartbeats, in the record, the tree and the rows alike', () => {
  const silent = lastHeard + SILENCE
  const states = [silent, silent + 1n].map((now) => decodeRecord(LEFT, { planId: 'p', now })?.state)
  expect(states).toEqual(['running', 'interrupted'])
  const root = treeSpans(LEFT, { now: silent + 1n }).find(({ attributes }) => attributes[ATTR.spanKind] === 'plan')
  expect([root?.state, root?.attributes[ATTR.planId]]).toEqual(['interrupted', 'p'])
  expect(factsOf(LEFT)).toMatchObject([
    {
      listing: 'listed',
      state: 'running',
      interruptedAt: silent + 1n,
      contents: { services: ['worker'], conversations: ['talk'], tools: ['search'] },
    },
  ])
})

it('is replaced by its root when that comes', () => {
  const plan = own('root', { [ATTR.spanKind]: 'plan', [ATTR.planTitle]: 'The plan' }, '')
  const rows = [...LEFT.slice(1), plan]
  expect(decodeRecord(rows, { planId: 'p' })).toMatchObject({ state: 'completed', verdict: 'complete' })
  expect(factsOf(rows).map(({ plan: { head } }) => head.span.spanId)).toEqual(['root'])
})

it('plans with a span and agents whose record was imported alone have no placeholder', () => {
  const agent = own('agent', { [ATTR.spanKind]: 'agent', [ATTR.recordDialect]: 'plan-execution' }, '')
  expect(treeSpans([agent])).toHaveLength(1)
})
