import { describe, expect, it } from 'vitest'

import { decodeRecord, explainTrace, traceFacts } from '../../../src/mapping/index.js'
import { type SpanInput, traceRows } from '../../support/traces-of-spans.js'

type Spans = Readonly<Record<string, SpanInput>>

interface Agent {
  readonly thinkActSteps: readonly { readonly errorMessage: string | null }[]
}
interface Wait {
  readonly startTime: string
  readonly endTime: string | null
  readonly [key: string]: unknown
}

function told(spans: Spans, next?: Spans) {
  const later = next ? traceRows(next, { traceId: 'e'.repeat(32) }) : []
  const stored = [...traceRows(spans), ...later]
  const decoded = decodeRecord(stored)
  const { summary, planspan, agentExecutionSequence } = JSON.parse(decoded?.text ?? 'null') as {
    readonly summary: string | null
    readonly planspan: { readonly waits?: readonly Wait[]; readonly errors?: readonly unknown[] }
    readonly agentExecutionSequence: readonly Agent[]
  }
  const [plan] = traceFacts(stored, () => undefined).plans
  return {
    state: decoded?.state,
    listed: plan?.state,
    failures: plan?.failures,
    errors: agentExecutionSequence.flatMap(({ thinkActSteps }) =>
      thinkActSteps.filter((one) => one.errorMessage !== null),
    ),
    summary,
    waits: (planspan.waits ?? []).map(({ startTime, endTime, ...wait }) => ({
      ...wait,
      isOpen: startTime !== '' && endTime === null,
    })),
  }
}

const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'cleaner', until: 99 }
const messages = (role: string, parts: readonly object[]) => [{ role, parts }]
const chat = (output: readonly object[], more: SpanInput = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.output.messages': messages('assistant', output),
  parent: 'a',
  ...more,
})
const FOR_CALLS = { 'gen_ai.output.messages': undefined, 'llm.finish_reason': 'tool-calls' }
const CALL = { type: 'tool_call', id: 'call-7', name: 'delete', arguments: { order: 'A-17' } }
const tool = (more: SpanInput = {}) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'delete',
  'gen_ai.tool.call.id': 'call-7',
  parent: 'a',
  ...more,
})
const chain = (more: SpanInput = {}) => ({ 'openinference.span.kind': 'CHAIN', ...more })

const APPROVAL = {
  reason: 'tool_approval',
  title: 'delete',
  toolCallId: 'call-7',
  arguments: '{"order":"A-17"}',
  isOpen: true,
}
const INTERRUPT =
  "(Interrupt(value={'question': 'Delete A-17?', 'sure': True}, id='0192de6fa39938e6', response_schema=None),)"
const QUESTION = { reason: 'form_input', question: 'Delete A-17?', isOpen: true }

/** Traces of runs that wait for a person. Each ended without an error. */
const WAITING: readonly (readonly [sign: string, spans: Spans, waits: readonly object[]])[] = [
  [
    'an exception of a tool',
    {
      a: agent,
      c: chat([CALL]),
      t: tool({ raised: ['langgraph.errors.GraphInterrupt', INTERRUPT], failed: INTERRUPT }),
    },
    [{ ...APPROVAL, question: 'Delete A-17?' }],
  ],
  [
    'an exception of a node and of the chains around it',
    {
      root: chain({ raised: ['GraphInterrupt', INTERRUPT], until: 99 }),
      c: chat([{ type: 'text', content: 'I plan to delete.' }], { parent: 'root' }),
      ask: chain({ parent: 'root', raised: ['GraphInterrupt', INTERRUPT] }),
    },
    [QUESTION],
  ],
  [
    'an exception whose class is in its message',
    {
      a: agent,
      c: chat([]),
      n: chain({ parent: 'a', failed: '', raised: ['Exception', `GraphInterrupt(${INTERRUPT})Traceback`] }),
    },
    [QUESTION],
  ],
  [
    'an exception with JSON',
    {
      a: agent,
      c: chat([]),
      n: chain({ parent: 'a', raised: ['NodeInterrupt', JSON.stringify([{ value: 'Delete A-17?', id: 'i' }])] }),
    },
    [QUESTION],
  ],
  [
    'an exception that names the calls',
    {
      a: agent,
      c: chat([CALL]),
      n: chain({
        parent: 'a',
        raised: [
          'GraphInterrupt',
          "(Interrupt(value={'action_requests': [{'name': 'delete', 'args': {'order': 'A-17'}, 'description': 'Allow it?'}]}, id='e'),)",
        ],
      }),
    },
    [{ ...APPROVAL, question: 'Allow it?' }],
  ],
  [
    'an error class without an exception',
    {
      a: agent,
      c: chat([CALL]),
      t: tool({ failed: 'approve first', 'error.type': 'pydantic_ai.exceptions.ApprovalRequired' }),
    },
    [APPROVAL],
  ],
  [
    'a finish reason',
    { a: { ...agent, 'gen_ai.response.finish_reasons': ['interrupt'] }, c: chat([CALL]) },
    [APPROVAL],
  ],
  [
    'a status of the run',
    { a: { ...agent, 'workflow.run.status': 'input_required' }, c: chat([{ type: 'text', content: 'Which one?' }]) },
    [{ isOpen: true }],
  ],
  [
    'a status in the run’s output',
    { a: { ...agent, 'output.value': { status: 'requires_action', required: 'x' } }, c: chat([CALL]) },
    [APPROVAL],
  ],
  [
    'interrupts in the run’s output',
    {
      a: { ...agent, 'output.value': { text: '', __interrupt__: [{ value: { question: 'Delete A-17?' }, id: 'i' }] } },
      c: chat([]),
    },
    [QUESTION],
  ],
  [
    'a part of a message',
    {
      a: agent,
      c: chat([
        CALL,
        {
          type: 'function_approval_request',
          id: 'r',
          function_call: { call_id: 'call-7', name: 'delete', arguments: '{"order":"A-17"}' },
        },
      ]),
    },
    [APPROVAL],
  ],
  [
    'deferred calls in the run’s result',
    {
      a: {
        ...agent,
        final_result: {
          calls: [],
          approvals: [{ tool_name: 'delete', args: '{"order":"A-17"}', tool_call_id: 'call-7' }],
        },
      },
      c: chat([CALL]),
    },
    [APPROVAL],
  ],
  ['requested calls that nobody ran', { a: agent, c: chat([CALL]) }, [APPROVAL]],
  ['requested calls without a result', { a: agent, c: chat([CALL]), t: tool() }, [APPROVAL]],
  [
    'a tool that waits for an event',
    { a: agent, c: chat([CALL]), t: tool({ raised: ['workflows.errors.WaitingForEvent', 'Waiting for <Answer>'] }) },
    [APPROVAL],
  ],
  [
    'confirmations by the ids of calls',
    {
      a: {
        ...agent,
        'output.value': {
          actions: { requested_tool_confirmations: { 'call-7': { hint: 'Allow it?', confirmed: false } } },
        },
      },
      c: chat([CALL]),
      t: tool({
        'gen_ai.tool.call.result': { error: 'This tool call requires confirmation, please approve or reject.' },
      }),
    },
    [{ ...APPROVAL, question: 'Allow it?' }],
  ],
  [
    'requested calls, and an answer that asks for a person',
    { a: { ...agent, 'output.value': 'There are tools to run, but I need your approval.' }, c: chat([CALL]) },
    [APPROVAL],
  ],
  [
    'a model’s finish reason, if the instrumentation does not send the requested calls',
    { a: { ...agent, input: 'Tell Bob.' }, c: chat([], FOR_CALLS) },
    [{ isOpen: true }],
  ],
  [
    'only the calls that have no result',
    {
      a: agent,
      c: chat([{ ...CALL, id: 'call-6', name: 'find' }, CALL]),
      t: {
        ...tool({ 'gen_ai.tool.call.result': 'found' }),
        'gen_ai.tool.name': 'find',
        'gen_ai.tool.call.id': 'call-6',
      },
    },
    [APPROVAL],
  ],
]

/** Traces of runs that do not wait, although something in them looks like it. */
const NOT_WAITING: readonly (readonly [what: string, spans: Spans, state: string])[] = [
  ['a tool that ran', { a: agent, c: chat([CALL]), t: tool({ 'gen_ai.tool.call.result': 'done' }) }, 'completed'],
  [
    'a process that was stopped',
    { a: { ...agent, raised: ['KeyboardInterrupt', ''], failed: 'KeyboardInterrupt' }, c: chat([]) },
    'cancelled',
  ],
  [
    'a thread that was interrupted',
    { a: { ...agent, raised: ['java.lang.InterruptedException', 'sleep'], failed: 'sleep' }, c: chat([]) },
    'cancelled',
  ],
  [
    'an answer that is the arguments of a call',
    { a: { ...agent, final_result: { order: 'A-17' } }, c: chat([{ ...CALL, name: 'extract' }]) },
    'completed',
  ],
  ['a call that is the answer', { a: agent, c: chat([{ ...CALL, name: 'final_result' }]) }, 'completed'],
  [
    'an answered call',
    {
      a: {
        ...agent,
        'gen_ai.input.messages': messages('tool', [{ type: 'tool_call_response', id: 'call-7', response: 'done' }]),
        'gen_ai.output.messages': messages('assistant', [CALL]),
      },
      c: chat([CALL]),
    },
    'completed',
  ],
  [
    'a handoff',
    {
      a: agent,
      c: chat([{ ...CALL, name: 'transfer_to_b' }]),
      b: { ...agent, 'gen_ai.agent.name': 'b', at: 5 },
      d: chat([{ type: 'text', content: 'x' }], { parent: 'b', at: 6 }),
    },
    'completed',
  ],
  [
    'a tool’s data about other things that wait',
    {
      a: agent,
      c: chat([CALL]),
      t: tool({ 'gen_ai.tool.call.result': { status: 'pending_approval' } }),
      d: chat([{ type: 'text', content: 'x' }]),
    },
    'completed',
  ],
  [
    'an approval that has its response',
    {
      a: {
        ...agent,
        'gen_ai.output.messages': [
          { role: 'assistant', parts: [{ type: 'tool-approval-request' }] },
          { role: 'tool', parts: [{ type: 'tool-approval-response' }] },
          { role: 'assistant', parts: [{ type: 'text', content: 'x' }] },
        ],
      },
      c: chat([{ type: 'text', content: 'x' }]),
    },
    'completed',
  ],
  [
    'requested calls that are not sent, but ran',
    { a: { ...agent, input: 'Tell Bob.' }, c: chat([], FOR_CALLS), t: tool({ 'gen_ai.tool.call.result': 'done' }) },
    'completed',
  ],
  ['requested calls of an agent without contents', { a: agent, c: chat([], FOR_CALLS) }, 'completed'],
  ['a failed run', { a: { ...agent, failed: 'too many turns' }, c: chat([CALL]) }, 'failed'],
  [
    'an answer of its own beside a call that nobody ran',
    { a: { ...agent, 'output.value': 'It needs no more.' }, c: chat([CALL]) },
    'completed',
  ],
]

describe('a run that stopped for a person', () => {
  it.each(WAITING)('waits by %s', (_, spans, waits) => {
    expect(told(spans)).toEqual({ state: 'waiting', listed: 'waiting', failures: 0, errors: [], summary: null, waits })
  })

  it.each(NOT_WAITING)('does not wait by %s', (_, spans, state) => {
    expect(told(spans)).toMatchObject({ state, listed: state, waits: [] })
  })

  it('has a partial record if the instrumentation does not send the requested calls', () => {
    const asking = chat([], {
      ...FOR_CALLS,
      'gen_ai.input.messages': messages('user', [{ type: 'text', content: 'x' }]),
    })
    const { verdict, missing } = decodeRecord(traceRows({ a: { ...agent, input: 'Tell Bob.' }, c: asking })) ?? {}
    expect({ verdict, missing }).toEqual({ verdict: 'partial', missing: ['the tool calls that "c" requests'] })
  })

  it('is explained by the sign', () => {
    const readings = explainTrace(
      traceRows({ a: agent, c: chat([CALL]), t: tool({ raised: ['GraphInterrupt', INTERRUPT] }) }),
    )
    expect(readings.find(({ role }) => role === 'wait')?.why).toBe('derived: "t" has exception GraphInterrupt')
  })
})

const resumed = { ...agent, at: 200, until: 299 }
const answer = (more: SpanInput = {}) =>
  chat([{ type: 'text', content: 'Done.' }], {
    at: 220,
    'gen_ai.input.messages': [
      ...messages('assistant', [CALL]),
      ...messages('tool', [{ type: 'tool_call_response', id: 'call-7', response: 'deleted' }]),
    ],
    ...more,
  })
const refused = answer({
  'gen_ai.input.messages': [
    ...messages('assistant', [CALL]),
    ...messages('tool', [{ type: 'tool_call_response', id: 'call-7', response: 'The user rejected it.' }]),
  ],
})
const { isOpen: _, ...ANSWERED } = APPROVAL
const RAN = tool({ at: 210, 'gen_ai.tool.call.result': 'deleted' })
const resuming = (value: unknown): SpanInput => ({
  ...resumed,
  'input.value': { resume: value, goto: [], update: null },
})
const ASKING = { a: agent, c: chat([CALL]), t: tool({ raised: ['GraphInterrupt', INTERRUPT] }) }
const ASKED = { ...ANSWERED, question: 'Delete A-17?' }

/** Runs that wait, the runs that go on, and the waits. */
const CONTINUED: readonly (readonly [what: string, spans: Spans, next: Spans, wait: object])[] = [
  [
    'a call that ran',
    { a: agent, c: chat([CALL]) },
    { a: resumed, t: RAN, d: answer() },
    { ...ANSWERED, resolution: 'approved' },
  ],
  [
    'a call that was refused',
    { a: agent, c: chat([CALL]) },
    { a: resumed, d: refused },
    { ...ANSWERED, resolution: 'refused', answer: 'The user rejected it.' },
  ],
  [
    'the result of a call that another program ran',
    { a: agent, c: chat([CALL]) },
    { a: resumed, d: answer() },
    { ...ANSWERED, resolution: 'submitted', answer: 'deleted' },
  ],
  [
    'an approval',
    ASKING,
    { a: resuming({ decisions: [{ type: 'approve' }] }), t: RAN, d: answer() },
    { ...ASKED, resolution: 'approved' },
  ],
  [
    'a refusal with a reason',
    ASKING,
    { a: resuming({ decisions: [{ type: 'reject', message: 'Not this one.' }] }), d: answer() },
    { ...ASKED, resolution: 'refused', answer: 'Not this one.' },
  ],
  [
    'an answer to a question',
    { a: agent, c: chat([]), n: chain({ parent: 'a', raised: ['NodeInterrupt', INTERRUPT] }) },
    { a: resuming('Yes, please.'), d: chat([{ type: 'text', content: 'Done.' }], { at: 220 }) },
    { reason: 'form_input', question: 'Delete A-17?', resolution: 'submitted', answer: 'Yes, please.' },
  ],
  [
    'a call that was refused by an error',
    { a: agent, c: chat([CALL]) },
    { a: resumed, t: tool({ at: 210, failed: 'rejected by the user' }), d: answer() },
    { ...ANSWERED, resolution: 'refused', answer: 'deleted' },
  ],
]

describe('a run that goes on with the answer', () => {
  it('is explained by the answer', () => {
    const next = { a: resumed, t: RAN, d: answer() }
    const readings = explainTrace([
      ...traceRows({ a: agent, c: chat([CALL]) }),
      ...traceRows(next, { traceId: 'e'.repeat(32) }),
    ])
    expect(readings.flatMap(({ role, why }) => (role === 'wait' || why.includes('continues') ? [why] : []))).toEqual([
      'gen_ai.operation.name = invoke_agent; without a role; continues "a" with the answer that the call delete (call-7) waits for',
      `derived: "c" has requested calls without a result, and the run has ended; answered when "a" of trace ${'e'.repeat(32)} began`,
    ])
  })

  it.each(CONTINUED)('in another trace of the plan continues it by %s', (_, spans, next, wait) => {
    const record = told(spans, next)
    expect(record).toMatchObject({
      state: 'completed',
      listed: 'completed',
      failures: 0,
      errors: [],
      waits: [{ ...wait, isOpen: false }],
    })
  })

  it.each(CONTINUED)('in the same trace continues it by %s', (_, spans, next, wait) => {
    const later = Object.entries(next).map(
      ([name, span]) =>
        [`${name}2`, { ...span, ...(span.parent !== undefined && { parent: `${span.parent}2` }) }] as const,
    )
    const record = told({ ...spans, ...Object.fromEntries(later) })
    expect(record).toMatchObject({
      state: 'completed',
      listed: 'completed',
      failures: 0,
      errors: [],
      waits: [{ ...wait, isOpen: false }],
    })
  })

  it.each([
    ['is the same agent, and repeats the call in the cycle that requested it', RAN, {}],
    [
      'has no cycle that only repeats the call',
      { ...RAN, parent: 'step' },
      { step: { 'gen_ai.operation.name': 'agent_step', parent: 'a', at: 205, until: 215 } },
    ],
    [
      'repeats the call without its id and its result, which are only in the messages of the next model call',
      { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'delete', parent: 'a', at: 210 },
      {},
    ],
  ])('%s', (_, ran, more) => {
    const stored = [
      ...traceRows(ASKING),
      ...traceRows({ a: resuming('yes'), t: ran, ...more, d: answer() }, { traceId: 'e'.repeat(32) }),
    ]
    const { agentExecutionSequence: agents, summary } = JSON.parse(decodeRecord(stored)?.text ?? 'null') as {
      readonly agentExecutionSequence: readonly {
        readonly thinkActSteps: readonly { readonly actToolInfoList: readonly { readonly result: string }[] | null }[]
      }[]
      readonly summary: string
    }
    const results = agents.map(({ thinkActSteps }) =>
      thinkActSteps.map(({ actToolInfoList: tools }) => (tools ?? []).map(({ result }) => result)),
    )
    expect({ results, summary }).toEqual({ results: [[['deleted'], []]], summary: 'Done.' })
  })

  it('has its own answer, not that of the run before, which two spans recorded', () => {
    const crew = (said: string, more: SpanInput): Spans => ({
      p: { ...more, 'gen_ai.agent.name': 'crew' },
      q: { ...more, 'gen_ai.agent.name': 'crew', parent: 'p', 'output.value': said },
      a: { ...more, parent: 'q' },
    })
    const asking = {
      ...crew('Shall I?', agent),
      c: chat([]),
      n: chain({ parent: 'q', raised: ['NodeInterrupt', INTERRUPT] }),
    }
    const next = {
      ...crew('Done.', resuming('Yes, please.')),
      d: chat([{ type: 'text', content: 'Well.' }], { at: 220 }),
    }
    expect(told(asking, next)).toMatchObject({ state: 'completed', summary: 'Done.' })
  })

  it('waits again if the next run asks again', () => {
    const next = {
      a: { ...resumed, finish_reason: 'interrupt' },
      t: RAN,
      d: answer({ 'gen_ai.output.messages': messages('assistant', [{ ...CALL, id: 'call-8' }]) }),
    }
    expect(told(ASKING, next)).toMatchObject({
      state: 'waiting',
      waits: [
        { toolCallId: 'call-7', isOpen: false },
        { toolCallId: 'call-8', isOpen: true },
      ],
    })
  })

  it('does not begin with the results of earlier requests', () => {
    const history = answer({
      'gen_ai.input.messages': [
        ...messages('assistant', [CALL]),
        ...messages('tool', [{ type: 'tool_call_response', id: 'call-7', response: 'deleted' }]),
        ...messages('assistant', [{ type: 'text', content: 'Deleted.' }]),
        ...messages('user', [{ type: 'text', content: 'And now?' }]),
      ],
    })
    const { ends } = traceFacts(traceRows({ a: resumed, d: history }), () => undefined)
    expect(ends).toEqual([])
  })
})
