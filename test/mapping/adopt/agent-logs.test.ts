import { describe, expect, it } from 'vitest'

import { decodeRecord, treeSpans } from '../../../src/mapping/index.js'
import { ATTR, PENDING, type StoredSpan } from '../../../src/semconv/index.js'

type Log = readonly [name: string, second: number, attributes?: Readonly<Record<string, string>>]

/** The rows of log records, as the store writes them. */
const rowsOf = (logs: readonly Log[]): StoredSpan[] =>
  logs.map(([name, second, attributes = {}], at) => {
    const time = BigInt(second) * 1_000_000_000n
    return {
      traceId: 'f'.repeat(32),
      spanId: String(at + 1).padStart(16, '0'),
      parentSpanId: '',
      name,
      kind: 'Internal',
      startTimeUnixNano: time,
      endTimeUnixNano: time,
      statusCode: 'UNSET',
      statusMessage: '',
      attributes: { [ATTR.spanState]: PENDING, [ATTR.logEvent]: 'true', [ATTR.conversationId]: 'session-1' },
      events: [{ timeUnixNano: time, name, attributes }],
      links: [],
      serviceName: 'agent',
      scopeName: 'events',
      resourceAttributes: {},
    }
  })

interface Agent {
  readonly agentRequest: string | null
  readonly planspan?: { readonly waits?: readonly Readonly<Record<string, unknown>>[] }
  readonly thinkActSteps: readonly {
    readonly errorMessage: string | null
    readonly actToolInfoList: readonly { readonly name: string }[] | null
  }[]
}

function read(logs: readonly Log[]) {
  const decoded = decodeRecord(rowsOf(logs))
  const { agentExecutionSequence: agents, planspan } = JSON.parse(decoded?.text ?? 'null') as {
    readonly agentExecutionSequence: readonly Agent[]
    readonly planspan: { readonly foreign: object }
  }
  return {
    state: decoded?.state,
    missing: decoded?.missing,
    requests: agents.map(({ agentRequest }) => agentRequest),
    tools: agents.flatMap(({ thinkActSteps }) => thinkActSteps.flatMap((step) => step.actToolInfoList ?? [])),
    errors: agents.flatMap(({ thinkActSteps }) => thinkActSteps.flatMap(({ errorMessage }) => errorMessage ?? [])),
    waits: agents
      .flatMap(({ planspan }) => planspan?.waits ?? [])
      .map(({ reason, resolution, title, toolCallId }) => ({
        reason,
        resolution,
        title,
        toolCallId,
      })),
    convention: planspan.foreign,
    calls: treeSpans(rowsOf(logs)).flatMap(({ attributes, state }) =>
      attributes[ATTR.spanKind] === 'tool' ? [state] : [],
    ),
  }
}

const PROMPT: Log = ['claude_code.user_prompt', 10, { prompt: 'Tidy up.' }]
const CALL: Log = [
  'claude_code.api_request',
  12,
  { model: 'm', input_tokens: '5', output_tokens: '1', duration_ms: '900' },
]
const ANSWER: Log = ['claude_code.assistant_response', 20, { response: 'Done.' }]

describe('the log records of a coding agent', () => {
  it('say what they do not contain', () => {
    expect(read([PROMPT, CALL, ANSWER])).toMatchObject({
      state: 'completed',
      missing: ['the messages to models and the results of tool calls, which the logs of claude-code do not contain'],
      requests: ['Tidy up.'],
      convention: { convention: 'agent_logs' },
    })
  })

  it.each([
    [
      'a person',
      'user_temporary',
      [{ reason: 'tool_approval', resolution: 'approved', title: 'Bash', toolCallId: 't1' }],
    ],
    ['a rule', 'config', []],
  ])('report the decision of %s about a call', (_, source, waits) => {
    const call = { tool_name: 'Bash', tool_use_id: 't1' }
    const found = read([
      PROMPT,
      CALL,
      ['claude_code.tool_decision', 13, { ...call, decision: 'accept', source }],
      ['claude_code.tool_result', 14, { ...call, success: 'true', duration_ms: '500', tool_input: '{}' }],
    ])
    expect(found).toMatchObject({ state: 'completed', tools: [{ name: 'Bash' }], waits })
  })

  it('report a call that a person refused, which is no error', () => {
    const refused = { tool_name: 'Bash', tool_use_id: 't1', decision: 'reject', source: 'user_reject' }
    expect(read([PROMPT, CALL, ['claude_code.tool_decision', 13, refused]])).toMatchObject({
      tools: [{ name: 'Bash' }],
      calls: ['cancelled'],
      errors: [],
      waits: [{ resolution: 'refused' }],
    })
  })

  it('report a model call that failed', () => {
    const failed = read([
      PROMPT,
      CALL,
      ['claude_code.api_error', 15, { model: 'm', error: 'overloaded', status_code: '529' }],
    ])
    expect(failed).toMatchObject({ state: 'failed', errors: ['overloaded'] })
  })

  it('begin an agent with each prompt, if prompts have no ids', () => {
    const answered: Log = ['codex.sse_event', 12, { input_token_count: '5', output_token_count: '1', model: 'm' }]
    expect(
      read([
        ['codex.user_prompt', 10, { prompt: 'First.' }],
        answered,
        ['codex.sse_event', 12, { 'event.kind': 'response.created' }],
        ['codex.user_prompt', 20, { prompt: '[REDACTED]' }],
        ['codex.sse_event', 22, { input_token_count: '6', output_token_count: '1', model: 'm' }],
      ]),
    ).toMatchObject({ requests: ['First.', null], state: 'completed' })
  })
})
