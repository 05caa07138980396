import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { buildForest } from '../../../src/mapping/tree/forest.js'
import { decodeRecord, encodeRecords, foldSpans, toStoredSpan } from '../../../src/mapping/index.js'
import { stateOf } from '../../../src/mapping/tree/state.js'
import { nearest, type SpanNode } from '../../../src/mapping/tree/span-node.js'
import { usageBelow } from '../../../src/mapping/usage/usage-below.js'
import { decodeFields, ROLE_FIELDS, ROLES, type StoredSpan } from '../../../src/semconv/index.js'
import { createManusRecorder, dropCounts, PendingSpanProcessor } from '../../../src/tracing/index.js'
import { anySession, isEnd, runsOf } from '../../support/plan-act-orders.js'
import { SERIALISATIONS, type DomainEvent } from '../../support/plan-act-records.js'
import { called, calling, done, error, eventsOf, message, plan, step, title, wait } from '../../support/plan-act-run.js'
import { installSdk, type InMemorySdk } from '../in-memory-sdk.js'
import { storedSpans } from '../stored-spans.js'

const RUNS = { numRuns: 100 }

let sdk: InMemorySdk
let pending: PendingSpanProcessor

beforeEach(() => {
  sdk = installSdk({ before: (next) => (pending = new PendingSpanProcessor(next)) })
})
afterEach(async () => {
  await pending.shutdown()
  sdk.uninstall()
})

/** The values of one plan's spans. */
interface Reading {
  readonly state: string | undefined
  readonly tree: readonly SpanSummary[]
}

interface SpanSummary {
  readonly role: string | undefined
  readonly name: string
  readonly state: string
  readonly start: bigint
  readonly tokens: unknown
  readonly values: object
  readonly children: readonly SpanSummary[]
}

/**
 * The values that both have of the same event. A sent span can't remove a value, so values that an import lacks are
 * ignored.
 */
const SAME: Readonly<Record<string, readonly string[]>> = {
  plan: ['workflow', 'revision'],
  planning: ['planner', 'revision', 'steps', 'stepsJson'],
  agent: ['name', 'stepIndex', 'stepDescription', 'success', 'attachments', 'result'],
  tool: ['name', 'callId', 'group', 'arguments', 'content', 'result'],
  wait: ['reason', 'waiting', 'resolution'],
}

function summaryOf(node: SpanNode): SpanSummary {
  const { span, role } = node
  const values = decodeFields(ROLE_FIELDS[role!], span.attributes) as Readonly<Record<string, unknown>>
  return {
    role,
    name: span.name,
    state: stateOf(node),
    start: span.startTimeUnixNano,
    tokens: usageBelow(node),
    values: Object.fromEntries((SAME[role!] ?? []).flatMap((name) => (name in values ? [[name, values[name]]] : []))),
    children: ROLES.flatMap((below) => nearest(node, below)).map(summaryOf),
  }
}

const read = (rows: readonly StoredSpan[]): Reading => ({
  state: decodeRecord(rows)?.state,
  tree: buildForest(foldSpans(rows)).map(summaryOf),
})

type Write = (events: readonly DomainEvent[]) => string

const imported = (events: readonly DomainEvent[], write: Write = SERIALISATIONS.redis): Reading => {
  const [record] = encodeRecords(new TextEncoder().encode(write(events)), { format: 'plan-act:events' })
  return read(record!.spans.map(toStoredSpan))
}

/** The plans of a session after a recorder has received its events so far, and the number of dropped events. */
async function recorded(events: readonly DomainEvent[], write: Write = SERIALISATIONS.redis) {
  const before = sdk.spans().length
  const { event: dropped } = dropCounts()
  const recorder = createManusRecorder()
  for (const line of write(events).trimEnd().split('\n')) recorder.event(JSON.parse(line))
  await pending.forceFlush()
  const rows = storedSpans(sdk.spans().slice(before))
  recorder.end()
  const plans = new Set(rows.map(({ traceId }) => traceId))
  return {
    readings: [...plans].map((plan) => read(rows.filter(({ traceId }) => traceId === plan))),
    dropped: dropCounts().event - dropped,
  }
}

const typeOf = ({ data }: DomainEvent): string => data.type
const isPreface = (event: DomainEvent): boolean => ['title', 'message'].includes(typeOf(event))
/** The events of a completed session. */
const ended = (events: readonly DomainEvent[]): DomainEvent[] =>
  runsOf(events).at(-1)?.some(isEnd) === false ? eventsOf([...events.map(({ data }) => data), done]) : [...events]

/**
 * The comparable values of a running plan: before `done` it is unknown whether a plan was completed, and before the
 * next event whether an agent without a step has ended. A live plan waits as long as a wait is open, whatever the
 * planner does.
 */
function inFlight({ state, tree }: Reading): Reading {
  const [root] = tree
  const standing = tree.some(isAwaited) ? 'waiting' : state === 'completed' ? 'running' : state
  const children = root!.children.map((child) => (isLoose(child) ? { ...child, state: '' } : child))
  return { state: standing, tree: [{ ...root!, state: standing!, children }] }
}

const isAwaited = ({ role, state, children }: SpanSummary): boolean =>
  (role === 'wait' && state === 'waiting') || children.some(isAwaited)

const isLoose = ({ role, values }: SpanSummary): boolean => role === 'agent' && !('stepDescription' in values)

describe('each plan of a session that is recorded live reads the same as its imported events', () => {
  test('in any order', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (session) => {
        const events = ended(session)
        const runs = runsOf(events)
        const { readings, dropped } = await recorded(events)
        expect(readings).toMatchObject(runs.map((run) => imported(run)))
        expect(dropped).toBe(events.length - runs.flat().length)
      }),
      RUNS,
    )
  })

  test('while it runs', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (session) => {
        const events = session
        const run = runsOf(events).at(-1) ?? []
        fc.pre(!run.some(isEnd) && !run.every(isPreface))
        const { readings } = await recorded(events)
        expect(inFlight(readings.at(-1)!)).toMatchObject(inFlight(imported(run)))
      }),
      RUNS,
    )
  })

  test('without the opening word of a plan event, as in WebSocket frames', async () => {
    await fc.assert(
      fc.asyncProperty(anySession, async (session) => {
        const events = ended(session)
        const { readings } = await recorded(events, SERIALISATIONS.websocket)
        expect(readings).toMatchObject(runsOf(events).map((run) => imported(run, SERIALISATIONS.websocket)))
      }),
      RUNS,
    )
  })
})

const one = { '1': 'pending' }
const begun = [message('user', 'Do it'), plan('created', one), step('1', 'started')]

/** The states of a plan and all below it, depth first, each as `name state`. */
const states = ({ tree }: Reading): string[] => {
  const all = ({ name, state, children }: SpanSummary): string[] => [
    `${name.replace(/^\w+ ?/, '') || 'wait'} ${state}`,
    ...children.flatMap(all),
  ]
  return tree.flatMap(all)
}

describe('the meaning of ManusX’s events, recorded or imported:', () => {
  test.each([
    [
      'a call that begins again before it returned was given up',
      [...begun, calling('a'), calling('a'), called('a'), step('1', 'completed'), plan('completed', one), done],
      'plan_act completed, planner completed, execution completed, execution cancelled, shell_exec cancelled, ' +
        'execution completed, shell_exec completed',
    ],
    [
      'a call may return when its step is over',
      [...begun, calling('a'), step('1', 'completed'), called('a', false), plan('completed', one), done],
      'plan_act completed, planner completed, execution completed, execution completed, shell_exec failed',
    ],
    [
      'a call that never returns ends as its plan does',
      [...begun, calling('a'), step('1', 'completed'), done],
      'plan_act cancelled, planner completed, execution completed, execution cancelled, shell_exec cancelled',
    ],
    [
      'an error fails the step, its call and the cycle of that',
      [...begun, calling('a'), error('Task error')],
      'plan_act failed, planner completed, execution failed, execution failed, shell_exec failed',
    ],
    [
      'an error fails no work beyond the steps but its call',
      [...begun, step('1', 'completed'), calling('a'), error('Task error')],
      'plan_act failed, planner completed, execution completed, execution completed, execution failed, shell_exec failed',
    ],
    [
      'a wait that is open at the end is cancelled',
      [...begun, wait, done],
      'plan_act cancelled, planner completed, execution cancelled, wait cancelled',
    ],
    [
      'a wait that an error ends is cancelled',
      [...begun, wait, error('Task error')],
      'plan_act failed, planner completed, execution failed, wait cancelled',
    ],
    [
      'a completed plan that goes on is completed no more',
      [...begun, plan('completed', one), step('2', 'started'), done],
      'plan_act cancelled, planner completed, execution cancelled, execution cancelled',
    ],
    [
      'what the user says while nobody asks is a new request',
      [...begun, step('1', 'completed'), message('user', 'Hello?'), message('assistant', 'Hello!'), done],
      'plan_act completed, planner completed, execution completed',
    ],
    [
      'a step that the planner leaves for another was given up',
      [...begun, message('user', 'Rather that'), plan('created', { '2': 'pending' }), step('2', 'started'), done],
      'plan_act cancelled, planner completed, planner completed, execution cancelled, execution cancelled',
    ],
  ])('%s', async (_what, bodies, expected) => {
    const events = eventsOf(bodies)
    const { readings } = await recorded(events)
    expect([imported(events), ...readings].map((reading) => states(reading).join(', '))).toEqual([expected, expected])
  })

  test.each([
    ['Redis', SERIALISATIONS.redis],
    ['WebSocket', SERIALISATIONS.websocket],
  ])('a plan whose last event comes right before `done` is completed, over %s', async (_how, write) => {
    const bodies = [...begun, step('1', 'completed'), message('assistant', 'Done'), plan('completed', one), done]
    const { readings } = await recorded(eventsOf(bodies), write)
    expect([imported(eventsOf(bodies), write), ...readings].map(({ state }) => state)).toEqual([
      'completed',
      'completed',
    ])
  })
})

test.each([
  [
    'a request after `done`',
    [...begun, done, message('user', 'Again'), title('t'), done],
    ['cancelled', 'completed'],
    0,
  ],
  ['a request after an error', [...begun, error('e'), message('user', 'Again'), done], ['failed', 'completed'], 0],
  ['a second error', [...begun, error('e'), error('the same again')], ['failed'], 0],
  ['a second `done`', [...begun, done, done], ['cancelled'], 0],
  ['a wait after the end', [...begun, done, wait], ['cancelled'], 1],
  ['a wait before the beginning', [wait, ...begun, done], ['cancelled'], 1],
  ['a step after the end', [...begun, done, step('1', 'completed'), done], ['cancelled', 'completed'], 0],
])('a session is imported as one record, and each run is recorded as a plan: %s', async (_, bodies, plans, lost) => {
  const { readings, dropped } = await recorded(eventsOf(bodies))
  expect(readings.map(({ state }) => state)).toEqual(plans)
  expect(dropped).toBe(lost)
  expect(imported(eventsOf(bodies)).tree).toHaveLength(1)
})
