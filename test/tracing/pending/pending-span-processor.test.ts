import { trace } from '@opentelemetry/api'
import { AlwaysOffSampler, type ReadableSpan, type Sampler } from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ATTR } from '../../../src/semconv/index.js'
import {
  dropCounts,
  type PendingSpanOptions,
  PendingSpanProcessor,
  plan,
  startPlan,
} from '../../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from '../in-memory-sdk.js'

let sdk: InMemorySdk
let processor: PendingSpanProcessor

function install(options: PendingSpanOptions = {}, sampler?: Sampler) {
  sdk?.uninstall()
  sdk = installSdk({
    before: (next) => (processor = new PendingSpanProcessor(next, options)),
    ...(sampler && { sampler }),
  })
}

beforeEach(() => {
  vi.useFakeTimers()
  install()
})
afterEach(async () => {
  await processor.shutdown()
  sdk.uninstall()
  vi.useRealTimers()
})

const isSnapshot = (span: ReadableSpan) => span.attributes['planspan.span.state'] === 'pending'
const snapshots = (name?: string) => sdk.spans().filter((span) => isSnapshot(span) && (!name || span.name === name))
const last = (name: string) => snapshots(name).at(-1)!
const stateOf = (name: string) => last(name).attributes['planspan.state']
const millis = ([seconds, nanos]: readonly [number, number]) => seconds * 1_000 + nanos / 1e6

describe('a snapshot', () => {
  test('is a separate ended span below the real one, with everything that the real one has by then', () => {
    const p = startPlan({ workflow: 'trip', planId: 'p-1', conversationId: 'c-1', title: 'Rome' })
    const agent = p.startAgent({ name: 'a', step: 2, stepId: 's-1' })
    p.message({ role: 'user', content: 'hello' })
    vi.advanceTimersByTime(200)
    const shown = last('invoke_agent a')
    const root = last('invoke_workflow trip')
    agent.end()
    p.end()
    const real = sdk.spans().find((span) => span.name === 'invoke_workflow trip' && !isSnapshot(span))!
    expect(root.attributes).toEqual({
      'planspan.span.kind': 'plan',
      'gen_ai.operation.name': 'invoke_workflow',
      'openinference.span.kind': 'CHAIN',
      'planspan.schema.version': 1,
      'planspan.plan.id': 'p-1',
      'planspan.plan.root_id': 'p-1',
      'gen_ai.conversation.id': 'c-1',
      'gen_ai.agent.name': 'trip',
      'planspan.plan.title': 'Rome',
      'planspan.plan.current_step_index': 2,
      'planspan.heartbeat.interval_ms': 30_000,
      'planspan.state': 'running',
      'planspan.span.state': 'pending',
      'planspan.pending.span_id': real.spanContext().spanId,
      'planspan.pending.parent_span_id': '',
      'planspan.snapshot.seq': 0,
    })
    expect(root.events).toMatchObject([{ name: 'planspan.message' }])
    expect(root).toMatchObject({ kind: real.kind, startTime: real.startTime, status: { code: 0 }, ended: true })
    expect(root.resource).toBe(real.resource)
    expect(root.instrumentationScope).toBe(real.instrumentationScope)
    expect(root.spanContext()).toMatchObject({ traceId: real.spanContext().traceId, traceFlags: 1 })
    expect(root.spanContext().spanId).toMatch(/^(?!0{16})[0-9a-f]{16}$/)
    expect(root.spanContext().spanId).not.toBe(real.spanContext().spanId)
    expect(root.parentSpanContext).toEqual(real.spanContext())
    expect(millis(root.endTime) - millis(root.startTime)).toBeGreaterThanOrEqual(100)
    expect(millis(root.duration)).toBeCloseTo(millis(root.endTime) - millis(root.startTime), 3)
    expect(shown.attributes).toMatchObject({
      'planspan.step.id': 's-1',
      'planspan.state': 'running',
      'planspan.pending.parent_span_id': real.spanContext().spanId,
    })
    expect(real.attributes).not.toHaveProperty(ATTR.spanState)
    expect(real.attributes).not.toHaveProperty(ATTR.snapshotSeq)
    expect(real.attributes).toHaveProperty(ATTR.heartbeatIntervalMs, 30_000)
  })

  test('does not change when the span changes later', () => {
    const p = startPlan({ workflow: 'w', title: 'before' })
    vi.advanceTimersByTime(100)
    p.set({ title: 'after' })
    p.message({ role: 'user', content: 'late' })
    p.error(new Error('late'))
    expect(last('invoke_workflow w')).toMatchObject({ events: [], status: { code: 0 } })
    expect(last('invoke_workflow w').attributes).toHaveProperty(ATTR.planTitle, 'before')
    vi.advanceTimersByTime(1_000)
    expect(last('invoke_workflow w').attributes).toMatchObject({
      'planspan.plan.title': 'after',
      'planspan.snapshot.seq': 1,
    })
    expect(last('invoke_workflow w').status.code).toBe(2)
  })

  test('is not made of a span that ends within 100 ms of its start, even while others are sent', () => {
    const p = startPlan({ workflow: 'w' })
    vi.advanceTimersByTime(60)
    const agent = p.startAgent({ name: 'a' })
    vi.advanceTimersByTime(90)
    agent.end()
    vi.advanceTimersByTime(1_000)
    expect(snapshots().map(({ name }) => name)).toEqual(['invoke_workflow w'])
  })

  test('is not made of a span that ends at once', () => {
    plan({ workflow: 'w' }, (p) => p.agent({ name: 'a' }, (a) => a.cycle((c) => c.tool({ name: 't' }, () => 1))))
    vi.advanceTimersByTime(60_000)
    expect(snapshots()).toEqual([])
    expect(sdk.spans()).toHaveLength(4)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is made of plans, planning, waits, agents, cycles and tool calls, not of model calls and guardrails', () => {
    const p = startPlan({ workflow: 'w' })
    p.startPlanning({ planner: 'planner' }).startModel({ model: 'm' })
    const c = p.startAgent({ name: 'a' }).startCycle()
    c.startModel({ model: 'm' })
    c.startGuardrail({ name: 'g' })
    c.startTool({ name: 't' }).startWait({})
    vi.advanceTimersByTime(100)
    expect(
      snapshots()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([
      'agent_step a',
      'execute_tool t',
      'invoke_agent a',
      'invoke_workflow w',
      'plan planner',
      'wait_for_user',
    ])
  })

  test('is not made of spans that are not sampled or belong to no plan', () => {
    trace.getTracer('other').startSpan('GET')
    vi.advanceTimersByTime(60_000)
    install({}, new AlwaysOffSampler())
    startPlan({ workflow: 'w' }).startAgent({ name: 'a' })
    vi.advanceTimersByTime(60_000)
    expect(sdk.spans()).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('lists the values dropped so far', () => {
    const p = startPlan({ workflow: 'w', title: { toJSON: () => fail() } as never })
    vi.advanceTimersByTime(100)
    expect(last('invoke_workflow w').attributes).toHaveProperty(ATTR.dropped, 1)
    p.end()
  })
})

describe('changes', () => {
  test('of state are sent for the span and its ancestors', () => {
    const p = startPlan({ workflow: 'w' })
    vi.advanceTimersByTime(1_000)
    expect(stateOf('invoke_workflow w')).toBe('planning')
    const agent = p.startAgent({ name: 'a', step: 0 })
    vi.advanceTimersByTime(1_000)
    expect(stateOf('invoke_workflow w')).toBe('running')
    p.startPlanning({ planner: 'x' }).steps(['one'])
    vi.advanceTimersByTime(1_000)
    expect(stateOf('invoke_workflow w')).toBe('updating')
    expect(last('invoke_workflow w').attributes).toMatchObject({ 'planspan.plan.steps': ['one'] })
    const tool = agent.startCycle().startTool({ name: 'delegate' })
    const inner = startPlan({ workflow: 'inner' }, tool.context)
    const wait = inner.startWait({ reason: 'tool_approval' })
    vi.advanceTimersByTime(1_000)
    const names = ['invoke_workflow w', 'invoke_agent a', 'agent_step a', 'invoke_workflow inner', 'wait_for_user']
    expect(names.map(stateOf)).toEqual(names.map(() => 'waiting'))
    wait.answer({ resolution: 'approved' })
    wait.end()
    vi.advanceTimersByTime(1_000)
    expect(names.slice(0, -1).map(stateOf)).toEqual(['updating', 'running', 'running', 'planning'])
  })

  test('of tokens are sent for the plan before its end', () => {
    const p = startPlan({ workflow: 'w' })
    vi.advanceTimersByTime(1_000)
    const model = p.startAgent({ name: 'a' }).startCycle().startModel({ model: 'm' })
    model.usage({ input: 10, output: 2 })
    model.end()
    vi.advanceTimersByTime(1_000)
    expect(last('invoke_workflow w').attributes).toMatchObject({
      'planspan.usage.input_tokens': 10,
      'planspan.usage.output_tokens': 2,
      'planspan.usage.total_tokens': 12,
    })
  })

  test('cost at most two spans a second, and the latest is never lost', () => {
    const p = startPlan({ workflow: 'w' })
    for (let at = 0; at < 1_000; at++) {
      p.message({ role: 'user', content: `m-${at}` })
      vi.advanceTimersByTime(10)
    }
    expect(snapshots().length).toBeGreaterThan(10)
    expect(snapshots().length).toBeLessThanOrEqual(20)
    vi.advanceTimersByTime(1_000)
    expect(last('invoke_workflow w').events.at(-1)?.attributes).toMatchObject({ 'planspan.message.content': 'm-999' })
    expect(snapshots().map(({ attributes }) => attributes['planspan.snapshot.seq'])).toEqual(
      snapshots().map((_, at) => at),
    )
  })

  test.each([
    ['attributes', { request: 'x'.repeat(300_000) }],
    ['events', {}],
  ])('of a span that is large by its %s are sent less often', (_, options) => {
    const p = startPlan({ workflow: 'w', ...options })
    if (!('request' in options)) p.message({ role: 'user', content: 'x'.repeat(300_000) })
    for (let at = 0; at < 20; at++) {
      p.message({ role: 'user', content: `m-${at}` })
      vi.advanceTimersByTime(500)
    }
    expect(snapshots()).toHaveLength(3)
  })
})

describe('an idle plan', () => {
  test.each([undefined, 400_000, 4_000_000])('sends heartbeats more often than announced', (size) => {
    startPlan({ workflow: 'w', ...(size && { request: 'x'.repeat(size) }) }).startWait({})
    vi.advanceTimersByTime(600_000)
    const shown = snapshots('invoke_workflow w')
    const announced = Number(shown[0]?.attributes[ATTR.heartbeatIntervalMs])
    const gaps = shown.slice(1).map((span, at) => millis(span.endTime) - millis(shown[at]!.endTime))
    expect(Math.max(...gaps)).toBeLessThan(announced)
    expect(shown.length).toBeGreaterThanOrEqual(600_000 / announced)
    expect(snapshots('wait_for_user')).toHaveLength(1)
  })

  test('announces three times its heartbeat interval', () => {
    install({ heartbeatMillis: 1_000 })
    startPlan({ workflow: 'w' })
    vi.advanceTimersByTime(10_500)
    expect(snapshots()).toHaveLength(11)
    expect(last('invoke_workflow w').attributes).toHaveProperty(ATTR.heartbeatIntervalMs, 3_000)
  })
})

test('sends a foreign span as soon as a span of a plan is open below it', () => {
  const tracer = trace.getTracer('other')
  const p = startPlan({ workflow: 'w' })
  const agent = p.startAgent({ name: 'a' })
  const around = tracer.startSpan('generate', {}, agent.context)
  const beside = tracer.startSpan('GET', {}, agent.context)
  vi.advanceTimersByTime(1_000)
  expect(snapshots('generate')).toEqual([])
  startPlan({ workflow: 'inner' }, trace.setSpan(agent.context, around))
  vi.advanceTimersByTime(1_000)
  expect(snapshots('generate')).toHaveLength(1)
  expect(last('invoke_workflow inner').attributes).toHaveProperty(ATTR.pendingParentSpanId, around.spanContext().spanId)
  expect(snapshots('GET')).toEqual([])
  beside.end()
})

test('leaves nothing behind when a plan ends with open spans', () => {
  const p = startPlan({ workflow: 'w' })
  p.startAgent({ name: 'a' }).startCycle().startTool({ name: 't' })
  vi.advanceTimersByTime(1_000)
  p.startAgent({ name: 'b' })
  p.end()
  const count = sdk.spans().length
  vi.advanceTimersByTime(600_000)
  expect(sdk.spans()).toHaveLength(count)
  expect(vi.getTimerCount()).toBe(0)
})

test('spans beyond the limit are sent only at their end, and counted', () => {
  install({ maxOpenSpans: 2 })
  const before = dropCounts().snapshot
  const p = startPlan({ workflow: 'w' })
  p.startAgent({ name: 'a' })
  const late = p.startAgent({ name: 'b' })
  vi.advanceTimersByTime(1_000)
  expect(snapshots('invoke_agent b')).toEqual([])
  expect(dropCounts().snapshot).toBe(before + 1)
  late.end()
  expect(sdk.span('invoke_agent b').attributes).toHaveProperty(ATTR.state, 'completed')
})

test('a busy queue delays snapshots, but not ended spans', () => {
  let busy = true
  install({ isBusy: () => busy })
  const p = startPlan({ workflow: 'w' })
  p.startAgent({ name: 'a' }).end()
  vi.advanceTimersByTime(5_000)
  expect(sdk.spans().map(({ name }) => name)).toEqual(['invoke_agent a'])
  busy = false
  vi.advanceTimersByTime(100)
  expect(snapshots('invoke_workflow w')).toHaveLength(1)
})

test('many open spans are sent in turns, so that the program can run in between', () => {
  let spent = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + (spent += 0.5))
  const p = startPlan({ workflow: 'w' })
  for (let at = 0; at < 49; at++) p.startAgent({ name: 'a' })
  vi.advanceTimersByTime(100)
  expect(snapshots().length).toBeGreaterThan(0)
  expect(snapshots().length).toBeLessThan(10)
  vi.advanceTimersByTime(10_000)
  expect(new Set(snapshots().map(({ attributes }) => attributes[ATTR.pendingSpanId])).size).toBe(50)
  clock.mockRestore()
})

test('a flush sends all pending changes', async () => {
  startPlan({ workflow: 'w' })
  expect(processor.hasNews).toBe(true)
  await Promise.all([processor.forceFlush(), vi.advanceTimersByTimeAsync(1)])
  expect(snapshots()).toHaveLength(1)
  expect(processor.hasNews).toBe(false)
})

test('two pipelines receive the same changes', () => {
  let second: PendingSpanProcessor | undefined
  sdk.uninstall()
  sdk = installSdk({
    before: (next) => {
      processor = new PendingSpanProcessor(next)
      second = new PendingSpanProcessor({ ...silent, onEnd: (span) => void seen.push(span.attributes) })
      return {
        ...silent,
        onStart: (span, context) => [processor, second!].forEach((each) => each.onStart(span, context)),
        onEnd: (span) => [processor, second!].forEach((each) => each.onEnd(span)),
      }
    },
  })
  const seen: object[] = []
  const p = startPlan({ workflow: 'w' })
  vi.advanceTimersByTime(100)
  p.set({ title: 'later' })
  vi.advanceTimersByTime(1_000)
  expect(seen.at(-1)).toMatchObject({ 'planspan.plan.title': 'later', 'planspan.snapshot.seq': 1 })
  expect(last('invoke_workflow w').attributes).toMatchObject(seen.at(-1)!)
  void second!.shutdown()
})

const silent = {
  onStart: () => undefined,
  onEnd: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
}

function fail(): never {
  throw new Error('no text')
}
