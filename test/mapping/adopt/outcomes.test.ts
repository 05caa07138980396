import { describe, expect, it } from 'vitest'

import { decodeRecord, explainTrace, treeSpans } from '../../../src/mapping/index.js'
import { ATTR, EVENTS, type StoredSpan } from '../../../src/semconv/index.js'

interface SpanInput {
  readonly in?: string
  /** Start and end, milliseconds. */
  readonly at: readonly [number, number]
  readonly status?: 'OK' | 'ERROR'
  readonly text?: string
  /** The class and the message of an exception event. */
  readonly raised?: readonly [string, string]
  readonly scope?: string
  /** The span's name. @default its name in the story */
  readonly called?: string
  readonly [attribute: string]: unknown
}

type Story = Readonly<Record<string, SpanInput>>

/** The spans of a story by name. */
const rowsOf = (story: Story): StoredSpan[] =>
  Object.entries(story).map(([name, { in: parent, at, status, text, raised, scope, called, ...attributes }]) => ({
    traceId: 'f'.repeat(32),
    spanId: idOf(name),
    parentSpanId: parent === undefined ? '' : idOf(parent),
    name: called ?? name,
    kind: 'Internal',
    startTimeUnixNano: BigInt(at[0]) * 1_000_000n,
    endTimeUnixNano: BigInt(at[1]) * 1_000_000n,
    statusCode: status ?? 'UNSET',
    statusMessage: text ?? '',
    attributes: attributes as Record<string, string>,
    events: raised
      ? [
          {
            timeUnixNano: BigInt(at[1]) * 1_000_000n,
            name: EVENTS.exception,
            attributes: { 'exception.type': raised[0], 'exception.message': raised[1] },
          },
        ]
      : [],
    links: [],
    serviceName: 'shop',
    scopeName: scope ?? 'some',
    resourceAttributes: {},
  }))

const idOf = (name: string): string => Buffer.from(name).toString('hex').slice(0, 16).padStart(16, '0')

/** The states of the spans that were sent, and of the plan, in the order of their starts. */
function statesOf(story: Story): Record<string, string | undefined> {
  const names = new Map(Object.keys(story).map((name) => [idOf(name), name]))
  const rows = rowsOf(story)
  const states: Record<string, string | undefined> = { plan: decodeRecord(rows)?.state }
  for (const { spanId, state } of treeSpans(rows)) {
    const name = names.get(spanId)
    if (name !== undefined && state !== undefined) states[name] = state
  }
  return states
}

const root = { 'traceloop.span.kind': 'workflow', at: [0, 100], status: 'OK' } as const
const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'A', in: 'root', at: [1, 99] } as const
const turn = (from: number, to: number) =>
  ({ 'gen_ai.operation.name': 'agent_step', in: 'agent', at: [from, to] }) as const
const chat = (from: number, to: number, parent = 'agent') =>
  ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.usage.input_tokens': '1',
    in: parent,
    at: [from, to],
  }) as const
const mute = (from: number, to: number, parent = 'agent') =>
  ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.tool.definitions': '[]',
    in: parent,
    at: [from, to],
  }) as const
const tool = (from: number, to: number, parent = 'agent') =>
  ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'search',
    'gen_ai.tool.call.arguments': '{}',
    in: parent,
    at: [from, to],
  }) as const
const guardrail = (from: number, to: number, parent = 'agent') =>
  ({ 'openinference.span.kind': 'GUARDRAIL', in: parent, at: [from, to] }) as const
const answer = (text: string) => ({
  'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }]),
})
const errorAnswer = {
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: [{ type: 'text', content: 'model says 500' }], finish_reason: 'error' },
  ]),
}
const forCalls = { 'gen_ai.input.messages': '[]', 'gen_ai.response.finish_reasons': '["tool_call"]' }
const result = { 'gen_ai.tool.call.result': 'found' }
const failed = { status: 'ERROR', text: 'model says 500' } as const
const ended = { status: 'OK' } as const

describe('the state of a plan, agent, cycle or call', () => {
  it.each<[what: string, story: Story, states: Record<string, string>]>([
    [
      'is failed above the last model call that failed, though the root and the agent ended well',
      { root, agent: { ...agent, ...ended }, turn: turn(2, 9), call: { ...chat(3, 8, 'turn'), ...failed } },
      { plan: 'failed', root: 'failed', agent: 'failed', turn: 'failed', call: 'failed' },
    ],
    [
      'is cancelled above an agent of an instrumentation library that ended without doing anything',
      { root, agent: { ...agent, ...ended, scope: 'opentelemetry.instrumentation.agents' } },
      { plan: 'cancelled', root: 'cancelled', agent: 'cancelled' },
    ],
    [
      'is completed above such an agent of a framework that may not record its calls',
      { root, agent: { ...agent, ...ended, scope: 'framework' } },
      { plan: 'completed', root: 'completed', agent: 'completed' },
    ],
    [
      'is failed if the run returned the error of the model as its answer',
      { root, agent: { ...agent, ...ended, ...errorAnswer }, call: { ...chat(3, 8), ...failed } },
      { plan: 'failed', root: 'failed', agent: 'failed', call: 'failed' },
    ],
    [
      'is completed above a model call that was tried again',
      { root, agent, turn: turn(2, 20), call: { ...chat(3, 8, 'turn'), ...failed }, again: chat(9, 19, 'turn') },
      {
        plan: 'completed',
        root: 'completed',
        agent: 'completed',
        turn: 'completed',
        call: 'failed',
        again: 'completed',
      },
    ],
    [
      'is completed above a tool call that failed and that a model call follows',
      { root, agent, first: chat(2, 8), tool: { ...tool(9, 20), ...failed }, next: chat(21, 30) },
      {
        plan: 'completed',
        root: 'completed',
        agent: 'completed',
        first: 'completed',
        tool: 'failed',
        next: 'completed',
      },
    ],
    [
      'is completed above a tool call that failed within the model call that answered',
      { root, agent, call: chat(2, 30), tool: { ...tool(9, 20, 'call'), ...failed } },
      { plan: 'completed', root: 'completed', agent: 'completed', call: 'completed', tool: 'failed' },
    ],
    [
      'is failed above a tool call that failed and that nothing follows, but not for its cycle',
      { root, agent, turn: turn(2, 30), call: chat(3, 8, 'turn'), tool: { ...tool(9, 20, 'turn'), ...failed } },
      { plan: 'failed', root: 'failed', agent: 'failed', turn: 'completed', call: 'completed', tool: 'failed' },
    ],
    [
      'is failed for an agent with an error, as at a limit, whose calls all succeeded',
      { root, agent: { ...agent, status: 'ERROR', text: 'Max turns exceeded' }, call: chat(2, 8), tool: tool(9, 20) },
      { plan: 'failed', root: 'failed', agent: 'failed', call: 'completed', tool: 'completed' },
    ],
    [
      'is completed for a plan with an answer after an agent that failed',
      { root: { ...root, ...answer('From the cache.') }, agent: { ...agent, ...failed }, call: chat(2, 8) },
      { plan: 'completed', root: 'completed', agent: 'failed', call: 'completed' },
    ],
    [
      'is completed for a plan whose next agent succeeded',
      {
        root,
        agent: { ...agent, ...failed, at: [1, 20] },
        next: { ...agent, at: [21, 90] },
        call: chat(22, 80, 'next'),
      },
      { plan: 'completed', root: 'completed', agent: 'failed', next: 'completed', call: 'completed' },
    ],
    [
      'is failed for a plan with an agent that failed beside another one',
      { root, agent: { ...agent, ...failed, at: [1, 20] }, next: { ...agent, at: [2, 90] }, call: chat(3, 80, 'next') },
      { plan: 'failed', root: 'failed', agent: 'failed', next: 'completed', call: 'completed' },
    ],
    [
      'is failed for an agent whose exception came from below, whatever it wrote as its answer',
      {
        root,
        agent: { ...agent, ...ended, ...answer('Step(1)'), raised: ['E', 'model says 500'] },
        call: { ...chat(2, 8), ...failed },
      },
      { plan: 'failed', root: 'failed', agent: 'failed', call: 'failed' },
    ],
    [
      'is completed for an agent that recorded an exception and answered',
      { root, agent: { ...agent, ...answer('Done.'), raised: ['E', 'no cache'] }, call: chat(2, 8) },
      { plan: 'completed', root: 'completed', agent: 'completed', call: 'completed' },
    ],
    [
      'is failed if a guardrail stopped the agent, and completed if the agent went on',
      {
        root,
        agent: { ...agent, at: [1, 40], ...answer('I may not say that.') },
        call: chat(2, 8),
        stop: { ...guardrail(9, 10), 'guardrail.triggered': 'true' },
        other: { ...agent, in: 'root', at: [41, 90] },
        stop2: { ...guardrail(42, 43, 'other'), 'guardrail.triggered': 'true' },
        call2: chat(44, 50, 'other'),
      },
      {
        plan: 'completed',
        root: 'completed',
        agent: 'failed',
        call: 'completed',
        stop: 'completed',
        other: 'completed',
        stop2: 'completed',
        call2: 'completed',
      },
    ],
    [
      'is failed for an agent that used up its steps',
      {
        root,
        agent: { ...agent, ...answer('Sorry.'), 'smolagents.max_steps': '1' },
        step: { ...turn(2, 20), 'gen_ai.operation.name': 'agent_step' },
        call: chat(3, 8, 'step'),
        last: chat(21, 30),
      },
      { plan: 'failed', root: 'failed', agent: 'failed', step: 'completed', call: 'completed', last: 'completed' },
    ],
    [
      'is failed for a call that fails again with the same message, if spans that end later have no error',
      {
        root,
        agent: { ...agent, ...answer('None.') },
        tool: { ...tool(9, 20), status: 'ERROR', text: 'no such order', raised: ['Error', 'no such order'] },
        again: { ...tool(31, 40), status: 'ERROR', text: 'no such order' },
        last: chat(41, 50),
      },
      { plan: 'completed', root: 'completed', agent: 'completed', tool: 'failed', again: 'failed', last: 'completed' },
    ],
    [
      'is completed for spans that only repeat the error of an earlier call',
      {
        root: { ...root, status: 'ERROR', text: 'no such order', 'traceloop.entity.output': 'Two chairs.' },
        agent: { ...agent, status: 'ERROR', text: 'no such order', ...answer('Two chairs.') },
        first: chat(2, 8),
        tool: { ...tool(9, 20), status: 'ERROR', text: 'no such order', raised: ['Error', 'no such order'] },
        next: { ...chat(21, 30), status: 'ERROR', text: 'no such order' },
        again: { ...tool(31, 40), status: 'ERROR', text: 'no such order', ...result },
        last: { ...chat(41, 50), status: 'ERROR', text: 'no such order' },
      },
      {
        plan: 'completed',
        root: 'completed',
        agent: 'completed',
        first: 'completed',
        tool: 'failed',
        next: 'completed',
        again: 'completed',
        last: 'completed',
      },
    ],
    [
      'is failed for an agent with a limit that ended without an answer when its model requested calls',
      {
        root,
        agent: { ...agent, 'ai.model.max_steps': '2', input: 'Walk.' },
        call: { ...chat(2, 30), 'llm.finish_reason': 'tool-calls' },
        tool: { ...tool(9, 20), ...result },
      },
      { plan: 'failed', root: 'failed', agent: 'failed', call: 'completed', tool: 'completed' },
    ],
    [
      'is failed for an agent whose answer says that it reached a limit',
      { root, agent: { ...agent, ...answer('Model call limits exceeded: run limit (2/2)') }, call: chat(2, 8) },
      { plan: 'failed', root: 'failed', agent: 'failed', call: 'completed' },
    ],
    [
      'is cancelled above a tool call that was cancelled',
      { root, agent, call: chat(2, 8), tool: { ...tool(9, 20), status: 'ERROR', raised: ['CancelledError', ''] } },
      { plan: 'cancelled', root: 'cancelled', agent: 'cancelled', call: 'completed', tool: 'cancelled' },
    ],
    [
      'is cancelled above the last call if it has neither a response nor an error',
      { root, agent, call: chat(2, 8), turn: turn(9, 30), mute: mute(10, 29, 'turn') },
      {
        plan: 'cancelled',
        root: 'cancelled',
        agent: 'cancelled',
        call: 'completed',
        turn: 'cancelled',
        mute: 'cancelled',
      },
    ],
    [
      'is cancelled if a span of the model’s name follows the last tool call and reports nothing',
      {
        root,
        agent,
        call: chat(2, 8),
        tool: { ...tool(9, 20), ...result },
        again: { called: 'call', in: 'agent', at: [21, 30] },
      },
      { plan: 'cancelled', root: 'cancelled', agent: 'cancelled', call: 'completed', tool: 'completed' },
    ],
    [
      'is completed if a tool call ends the agent: some frameworks answer with its result',
      { root, agent, call: { ...chat(2, 8), ...forCalls }, tool: { ...tool(9, 20), ...result } },
      { plan: 'completed', root: 'completed', agent: 'completed', call: 'completed', tool: 'completed' },
    ],
    [
      'is completed above a call without a response that another one follows, or whose agent answered',
      { root, agent: { ...agent, ...answer('Done.') }, tool: tool(2, 8), call: chat(9, 10), last: tool(11, 12) },
      {
        plan: 'completed',
        root: 'completed',
        agent: 'completed',
        tool: 'completed',
        call: 'completed',
        last: 'completed',
      },
    ],
    [
      'is completed above a call of an instrumentation that records no responses',
      { root, agent, call: { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', in: 'agent', at: [2, 8] } },
      { plan: 'completed', root: 'completed', agent: 'completed', call: 'completed' },
    ],
    [
      'is failed, not cancelled, if an error cancelled the calls beside it',
      {
        root,
        agent,
        turn: { ...turn(2, 20), status: 'ERROR', text: 'Guardrail tripwire triggered' },
        call: { ...chat(3, 19, 'turn'), raised: ['asyncio.exceptions.CancelledError', ''] },
      },
      { plan: 'failed', root: 'failed', agent: 'failed', turn: 'failed', call: 'cancelled' },
    ],
    [
      'is that of a web request around agents that succeeded',
      {
        root: { at: [0, 100], 'http.request.method': 'POST', 'http.response.status_code': '499' },
        agent,
        call: chat(2, 8),
      },
      { plan: 'cancelled', agent: 'completed', call: 'completed' },
    ],
    [
      'is failed in a web request that answered in spite of it',
      { root: { at: [0, 100], 'http.request.method': 'POST' }, agent, call: { ...chat(2, 8), ...failed } },
      { plan: 'failed', agent: 'failed', call: 'failed' },
    ],
    [
      'is completed for a tool call with a result in spite of its sub-plan',
      {
        root,
        agent,
        call: chat(2, 8),
        tool: { ...tool(9, 30), ...result },
        below: { ...agent, in: 'tool', at: [10, 29] },
        call2: { ...chat(11, 28, 'below'), ...failed },
      },
      {
        plan: 'completed',
        root: 'completed',
        agent: 'completed',
        call: 'completed',
        tool: 'completed',
        below: 'failed',
        call2: 'failed',
      },
    ],
    [
      'is running while the root is missing, and a tool or model call may be repeated',
      { turn: turn(2, 20), call: chat(3, 8, 'turn'), tool: { ...tool(9, 19, 'turn'), ...failed } },
      { plan: 'running', turn: 'completed', call: 'completed', tool: 'failed' },
    ],
    [
      'is failed if an error left the last cycle below a root that was never sent',
      {
        one: turn(2, 20),
        call: chat(3, 8, 'one'),
        two: { ...turn(21, 30), ...failed },
        last: { ...chat(22, 29, 'two'), ...failed },
      },
      { plan: 'failed', one: 'completed', call: 'completed', two: 'failed', last: 'failed' },
    ],
    [
      'is cancelled above the last model call if that was interrupted, whatever the framework answered',
      {
        root,
        agent: { ...agent, ...answer('I was interrupted.') },
        call: { ...chat(2, 8), 'gen_ai.response.finish_reasons': '["interrupted"]' },
      },
      { plan: 'cancelled', root: 'cancelled', agent: 'cancelled', call: 'cancelled' },
    ],
    [
      'is completed if only one span with work is below a root that was never sent',
      {
        start: { in: 'gone', at: [0, 1] },
        agent: { ...agent, in: 'gone' },
        call: chat(2, 8),
        stop: { in: 'gone', at: [100, 109] },
      },
      { plan: 'completed', agent: 'completed', call: 'completed' },
    ],
    [
      'is cancelled if the last call below a root that was never sent was abandoned',
      {
        one: { ...turn(2, 9), in: 'gone' },
        call: chat(3, 8, 'one'),
        two: { ...turn(10, 19), in: 'gone' },
        last: mute(11, 18, 'two'),
      },
      { plan: 'cancelled', one: 'completed', call: 'completed', two: 'cancelled', last: 'cancelled' },
    ],
    [
      'is that of the span which lasted as long as all others, if their parent was never sent',
      {
        flow: { ...root, in: 'gone', ...failed },
        part: { ...root, in: 'gone', at: [1, 50] },
        call: chat(2, 8, 'gone'),
        tool: { ...tool(9, 19, 'gone'), ...result },
      },
      { plan: 'failed', call: 'completed', tool: 'completed' },
    ],
  ])('%s', (_, story, states) => {
    expect(statesOf(story)).toEqual(states)
  })

  it.each<[sign: string, span: Partial<SpanInput>, isCancelled: boolean]>([
    ['Python', { raised: ['asyncio.exceptions.CancelledError', ''] }, true],
    ['LangSmith', { status: 'OK', raised: ['Exception', 'CancelledError()Traceback (most recent call last)'] }, true],
    ['a keyboard', { 'error.type': 'KeyboardInterrupt' }, true],
    ['JavaScript', { 'error.type': 'AbortError' }, true],
    ['OpenAI’s client', { status: 'ERROR', text: 'Request was aborted.' }, true],
    ['fetch', { status: 'ERROR', text: 'This operation was aborted' }, true],
    ['Genkit', { status: 'ERROR', text: 'UNKNOWN: Request was aborted.' }, true],
    ['Java', { 'error.type': 'java.util.concurrent.CancellationException' }, true],
    ['.NET', { 'error.type': 'System.Threading.Tasks.TaskCanceledException' }, true],
    ['Go', { status: 'ERROR', text: 'context canceled' }, true],
    ['gRPC', { 'rpc.grpc.status_code': '1' }, true],
    ['a finish reason', { 'gen_ai.response.finish_reasons': '["cancelled"]' }, true],
    ['a status of a run', { 'mastra.workflow_run.status': 'canceled' }, true],
    ['a flag', { 'strands.cancellation.type': 'CancelledError' }, true],
    ['a flag that is not set', { 'agent.cancelled': 'false' }, false],
    ['gRPC’s ABORTED, which is an error', { status: 'ERROR', text: 'ABORTED: Exceeded the iterations' }, false],
    ['a timeout', { 'error.type': 'TimeoutError' }, false],
    ['a word in a message', { status: 'ERROR', text: 'The order was not found, or was cancelled' }, false],
    ['length as a finish reason', { 'gen_ai.response.finish_reasons': '["length"]' }, false],
  ])('recognizes a cancellation by %s', (_, span, isCancelled) => {
    const states = statesOf({ root, agent: { ...agent, ...span }, call: chat(2, 8) })
    expect([states['agent'], states['plan']].map((state) => state === 'cancelled')).toEqual([isCancelled, isCancelled])
  })
})

it('gives a plan that failed the error of the work that decided it', () => {
  const spans = treeSpans(rowsOf({ root, agent, call: { ...chat(2, 8), ...failed, 'error.type': 'ServerError' } }))
  expect(spans.find(({ name }) => name.startsWith('invoke_workflow'))?.attributes).toMatchObject({
    [ATTR.errorType]: 'ServerError',
    [ATTR.errorMessage]: 'model says 500',
  })
})

it('explains what decided the state', () => {
  const reading = explainTrace(rowsOf({ root, agent, call: { ...chat(2, 8), ...failed } }))
  expect(reading.find(({ name }) => name === 'root')?.ended).toEqual({
    state: 'failed',
    why: `work below failed, and nothing that began later succeeded: "call" (${idOf('call')})`,
  })
  expect(reading.find(({ name }) => name === 'call')?.ended?.why).toBe('the span reports an error')
})
