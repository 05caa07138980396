import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { adopt } from '../../../src/mapping/adopt/index.js'
import { decodeRecord, treeSpans } from '../../../src/mapping/index.js'
import { ATTR, EVENTS, type StoredSpan } from '../../../src/semconv/index.js'
import { agent, chat, idOf, outline, rows, type SpanInput, tool } from '../../support/adopted-spans.js'
import { FOREIGN_TRACES, foreignRows } from '../../support/foreign-traces.js'

const FAILED_RESULT = JSON.stringify({ status: 'error', content: 'boom', type: 'tool', tool_call_id: 'call-1' })

const plan = { 'planspan.span.kind': 'plan', [ATTR.planId]: 'p', [ATTR.planRootId]: 'p' }
const own = (kind: string, more: Record<string, string> = {}) => ({
  'planspan.span.kind': kind,
  [ATTR.planId]: 'p',
  [ATTR.planRootId]: 'p',
  ...more,
})
const usageOf = (stored: readonly StoredSpan[], planId?: string): unknown => {
  const text = decodeRecord(stored, planId === undefined ? {} : { planId })?.text ?? 'null'
  const { planspan } = JSON.parse(text) as {
    planspan: { usage?: { inputTokens: number; outputTokens: number } } | null
  }
  return planspan?.usage && [planspan.usage.inputTokens, planspan.usage.outputTokens]
}

interface AgentOfRecord {
  readonly result: string | null
  readonly thinkActSteps: readonly {
    readonly errorMessage: string | null
    readonly actToolInfoList: readonly { readonly result: string }[] | null
  }[]
  readonly subPlanExecutionRecords: readonly unknown[]
}

function firstAgentOf(stored: readonly StoredSpan[]): AgentOfRecord {
  const record = JSON.parse(decodeRecord(stored)?.text ?? '') as { agentExecutionSequence: AgentOfRecord[] }
  return record.agentExecutionSequence[0]!
}

describe('a trace without a plan of planspan’s own', () => {
  it.each<[what: string, spans: Readonly<Record<string, SpanInput>>, lines: string[]]>([
    [
      'puts several agents of one trace into one plan',
      { root: { name: 'POST /ask' }, a: agent('A', 'root'), a1: chat('a'), b: agent('B', 'root'), b1: chat('b') },
      ['plan POST /ask', '  agent A', '    think_act', '      llm', '  agent B', '    think_act', '      llm'],
    ],
    [
      'begins a cycle with each model call and puts a tool call into the one that asked for it',
      {
        a: agent('A'),
        c1: { ...chat('a'), 'gen_ai.output.messages': asking('call-1'), at: 1 },
        c2: { ...chat('a'), at: 2 },
        t: { ...tool('search', 'a', 'call-1'), at: 3 },
        u: { ...tool('open', 'a'), at: 4 },
      },
      [
        'plan A',
        '  agent A',
        '    think_act',
        '      llm',
        '      tool search',
        '    think_act',
        '      llm',
        '      tool open',
      ],
    ],
    [
      'makes a sub-plan of an agent that a tool calls',
      { a: agent('A'), c: chat('a'), t: tool('ask_b', 'a', 'x'), b: agent('B', 't'), d: chat('b') },
      [
        'plan A',
        '  agent A',
        '    think_act',
        '      llm',
        '      tool ask_b',
        '        plan B',
        '          agent B',
        '            think_act',
        '              llm',
      ],
    ],
    [
      'takes an agent that only leads agents for the plan',
      {
        w: { ...agent('team'), name: 'invoke_agent team' },
        a: agent('A', 'w'),
        c: chat('a'),
        b: agent('B', 'w'),
        d: chat('b'),
      },
      ['plan team', '  agent A', '    think_act', '      llm', '  agent B', '    think_act', '      llm'],
    ],
    [
      'takes an agent within an agent of its name for one',
      { a: agent('A'), b: agent('A', 'a'), c: chat('b') },
      ['plan A', '  agent A', '    think_act', '      llm'],
    ],
    [
      'makes an agent up over calls that no agent makes',
      { root: { name: 'job' }, c: chat('root'), t: tool('search', 'root') },
      ['plan job', '  agent job', '    think_act', '      llm', '      tool search'],
    ],
    [
      'takes the inner of two instrumentations’ spans of a call for the outer',
      { a: agent('A'), c: chat('a', 5, 5), d: chat('c', 5, 5) },
      ['plan A', '  agent A', '    think_act', '      llm'],
    ],
    [
      'makes nothing of what only looks something up',
      { root: {}, r: { 'openinference.span.kind': 'RETRIEVER', parent: 'root' } },
      [],
    ],
    ['makes nothing of spans of no agent', { root: { name: 'GET /' }, db: { name: 'SELECT', parent: 'root' } }, []],
  ])('%s', (_, spans, lines) => {
    expect(outline(rows(spans))).toEqual(lines)
  })

  it('counts a call once that two instrumentations recorded', () => {
    expect(usageOf(rows({ a: agent('A'), c: chat('a', 5, 2), d: chat('c', 5, 2) }))).toEqual([5, 2])
  })

  it('uses an agent’s total only if no model call reports tokens', () => {
    const sums = { ...agent('A'), 'gen_ai.usage.input_tokens': '70', 'gen_ai.usage.output_tokens': '7' }
    const silent = { 'gen_ai.operation.name': 'chat', parent: 'a' }
    expect(usageOf(rows({ a: sums, c: silent }))).toEqual([70, 7])
    expect(usageOf(rows({ a: sums, c: chat('a', 5, 2) }))).toEqual([5, 2])
  })

  it('is running and partial until its root arrives', () => {
    const decoded = decodeRecord(rows({ c: chat('gone'), t: tool('search', 'gone') }))
    expect(decoded).toMatchObject({ state: 'running', verdict: 'partial', missing: ['the root of the trace'] })
  })

  it('is partial if a parent is missing below a stored root', () => {
    const decoded = decodeRecord(rows({ a: agent('A'), c: chat('gone') }))
    expect(decoded).toMatchObject({ verdict: 'partial', missing: [`the parent ${idOf('gone')} of "c"`] })
  })

  it('has the title of the agent that leads the others', () => {
    const led = { w: { name: 'invoke_agent team', ...agent('team') }, a: agent('A', 'w'), c: chat('a') }
    expect(decodeRecord(rows(led))?.text).toContain('"title":"team"')
  })

  it('fails if its root fails', () => {
    expect(decodeRecord(rows({ a: { ...agent('A'), failed: 'no answer' }, c: chat('a') }))?.state).toBe('failed')
  })

  it('reads Spring AI’s tools, between its client and advisors', () => {
    const framework = (kind: string, parent: string) => ({
      'gen_ai.operation.name': 'framework',
      'gen_ai.system': 'spring_ai',
      'spring.ai.kind': kind,
      parent,
    })
    const spans = rows({
      root: { name: 'http post /ask' },
      client: { ...framework('chat_client', 'root'), 'spring.ai.chat.client.conversation.id': 'talk-1' },
      advisor: framework('advisor', 'client'),
      c: chat('advisor', 5, 2),
      t: {
        ...framework('tool_call', 'advisor'),
        name: 'tool_call weather',
        'spring.ai.tool.definition.name': 'weather',
        'spring.ai.tool.call.arguments': '{"city":"Rome"}',
        'spring.ai.tool.call.result': '"sunny"',
      },
      d: chat('advisor', 6, 3),
    })
    const cycle = ['    think_act', '      llm']
    expect(outline(spans)).toEqual([
      'plan http post /ask',
      '  agent http post /ask',
      ...cycle,
      '      tool weather',
      ...cycle,
    ])
    expect(decodeRecord(spans)).toMatchObject({ verdict: 'redacted', missing: [] })
    expect(firstAgentOf(spans).thinkActSteps[0]?.actToolInfoList).toMatchObject([
      { name: 'weather', parameters: '{"city":"Rome"}', result: 'sunny' },
    ])
  })

  it('uses the id that the model gave to the call that started a sub-plan', () => {
    const spans = rows({
      a: agent('A'),
      c: { ...chat('a'), 'gen_ai.output.messages': asking('call-1') },
      t: tool('search', 'a'),
      b: agent('B', 't'),
      d: chat('b'),
    })
    expect(firstAgentOf(spans).subPlanExecutionRecords).toMatchObject([{ toolCallId: 'call-1' }])
  })

  it('uses the last model call’s output as an agent’s output, if the agent has none itself', () => {
    const said = JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'Sunny.' }] }])
    const spans = rows({ a: agent('A'), c: { ...chat('a'), 'gen_ai.output.messages': said } })
    expect(JSON.parse(decodeRecord(spans)?.text ?? '')).toMatchObject({ summary: 'Sunny.' })
    expect(firstAgentOf(spans).result).toBe('Sunny.')
    const asks = rows({ a: agent('A'), c: { ...chat('a'), 'gen_ai.output.messages': asking('call-1') } })
    expect(firstAgentOf(asks).result).toBeNull()
  })

  it.each([
    ['True', 'false'],
    ['false', 'true'],
    ['', undefined],
    ['skipped', undefined],
  ])('reads the verdict of a guardrail from whether it was triggered: %j', (triggered, isSafe) => {
    const guardrail = { parent: 'a', 'openinference.span.kind': 'GUARDRAIL', 'guardrail.triggered': triggered }
    const spans = adopt(rows({ a: agent('A'), c: chat('a'), g: guardrail }))
    expect(spans.find(({ spanId }) => spanId === idOf('g'))?.attributes[ATTR.riskIsSafe]).toBe(isSafe)
  })

  it('reads messages from separate events', () => {
    const event = (key: string, role: string, content: string) => ({
      timeUnixNano: 0n,
      name: EVENTS.inferenceDetails,
      attributes: { [key]: JSON.stringify([{ role, parts: [{ type: 'text', content }] }]) },
    })
    const events = [
      event('gen_ai.input.messages', 'user', 'Rain?'),
      event('gen_ai.output.messages', 'assistant', 'No.'),
    ]
    const spans = rows({ a: agent('A'), c: chat('a') }).map((span) => (span.name === 'c' ? { ...span, events } : span))
    expect(JSON.parse(decodeRecord(spans)?.text ?? '')).toMatchObject({ userRequest: 'Rain?', summary: 'No.' })
  })

  it('reads OpenAI’s complete responses as Logfire writes them', () => {
    const call = { type: 'function_call', call_id: 'call-1', name: 'search', arguments: '{"query":"x"}' }
    const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I search.' }] }
    const spans = rows({
      a: { 'logfire.msg_template': 'Agent run: {name!r}', name: 'Agent run' },
      c: {
        ...chat('a'),
        'logfire.msg_template': 'Responses API with {gen_ai.request.model!r}',
        response: JSON.stringify({ id: 'resp_1', object: 'response', output: [said, call] }),
      },
      t: tool('search', 'a'),
    })
    const [cycle] = firstAgentOf(spans).thinkActSteps
    expect(cycle).toMatchObject({ thinkOutput: 'I search.', actToolInfoList: [{ parameters: '{"query":"x"}' }] })
  })

  it('reports why a call failed, even if it returned an empty object', () => {
    const call = { ...tool('search', 'a', 'call-1'), failed: 'no network' }
    const spans = rows({ a: agent('A'), c: chat('a'), t: { ...call, 'gen_ai.completion': '{}' } })
    expect(firstAgentOf(spans).thinkActSteps[0]?.actToolInfoList?.[0]?.result).toBe('Error: no network')
  })

  it.each([
    ['an attribute of an error without a status text', { failed: '', 'error.message': 'boom' }, 'boom'],
    ['an attribute before the status text', { failed: 'status', 'error.message': 'boom' }, 'boom'],
    ['the status text of an error', { failed: 'boom' }, 'boom'],
    ['the result that says it is an error', { failed: '', 'gen_ai.tool.call.result': FAILED_RESULT }, 'boom'],
    [
      'the result that is an error alone',
      { failed: 'TOOL_ERROR', 'error.type': 'TOOL_ERROR', 'gen_ai.tool.call.result': '{"error":"boom"}' },
      'boom',
    ],
    ['planspan’s own attribute', { failed: 'status', 'error.message': 'other', [ATTR.errorMessage]: 'boom' }, 'boom'],
    ['the result that is an error alone', { failed: '', 'gen_ai.tool.call.result': '{"error":"boom"}' }, 'boom'],
    ['the class alone', {}, 'TimeoutError'],
  ])('reads the message of a failed call from %s', (_, values, message) => {
    const call = { ...tool('search', 'a'), 'error.type': 'TimeoutError', ...values }
    const [cycle] = firstAgentOf(rows({ a: agent('A'), c: chat('a'), t: call })).thinkActSteps
    expect(cycle?.errorMessage).toBe(message)
  })

  it.each([
    ['the status text', { failed: 'boom' }],
    ['an attribute', { failed: '', 'error.message': 'boom' }],
    ['planspan’s own attribute', { failed: 'status', [ATTR.errorMessage]: 'boom' }],
  ])('gives a derived plan the error of the root from %s', (_, values) => {
    const root = { name: 'POST /ask', 'error.type': 'TimeoutError', ...values }
    const plan = treeSpans(rows({ r: root, a: agent('A', 'r'), c: chat('a') })).find(
      ({ attributes }) => attributes[ATTR.adoptedMadeUp] === 'true',
    )
    expect(plan).toMatchObject({ statusCode: 'ERROR', statusMessage: 'boom' })
    expect(plan?.attributes[ATTR.errorType]).toBe('TimeoutError')
  })

  it.each<[string, Record<string, string>]>([
    [
      'AutoGen',
      { 'output.value': '{"finish_reason":"function_calls","content":[{"id":"call-1"}],"thought":"I search."}' },
    ],
    ['OpenInference for the AI SDK', { 'ai.response.text': 'I search.' }],
  ])('reads the text beside the calls of an answer that %s writes apart from them', (_, apart) => {
    const listed = 'llm.output_messages.0.message'
    const answer = {
      'openinference.span.kind': 'LLM',
      ...apart,
      [`${listed}.tool_calls.0.tool_call.id`]: 'call-1',
      [`${listed}.tool_calls.0.tool_call.function.name`]: 'search',
    }
    const spans = rows({ a: agent('A'), c: { ...answer, parent: 'a' } })
    expect(firstAgentOf(spans).thinkActSteps[0]).toMatchObject({ thinkOutput: 'I search.' })
  })

  const JSON_ANSWER = '{"symbol":"BABA","price":132.41}'

  it.each<[where: string, values: Record<string, string>]>([
    [
      'a listed message of OpenInference',
      { 'openinference.span.kind': 'LLM', 'llm.output_messages.0.message.content': JSON_ANSWER },
    ],
    ['a listed completion', { 'gen_ai.operation.name': 'chat', 'gen_ai.completion.0.content': JSON_ANSWER }],
    ['the AI SDK’s text', { 'ai.operationId': 'ai.generateText.doGenerate', 'ai.response.text': JSON_ANSWER }],
  ])('reads an answer that is JSON as a text, in %s', (_, values) => {
    const spans = rows({ a: agent('A'), c: { ...values, parent: 'a' } })
    expect(firstAgentOf(spans).thinkActSteps[0]).toMatchObject({ thinkOutput: JSON_ANSWER })
  })

  it('reads the ids of calls from LangChain’s message, if the listed calls have no ids', () => {
    const call = { name: 'search', args: { query: 'x' }, id: 'call-1', type: 'tool_call' }
    const message = { lc: 1, id: ['AIMessage'], kwargs: { content: '', tool_calls: [call] } }
    const listed = 'llm.output_messages.0.message'
    const spans = rows({
      a: agent('A'),
      c: {
        'openinference.span.kind': 'LLM',
        'output.value': JSON.stringify({ generations: [[{ text: '', message }]] }),
        [`${listed}.role`]: 'assistant',
        [`${listed}.tool_calls.0.tool_call.function.name`]: 'search',
        [`${listed}.tool_calls.0.tool_call.function.arguments`]: '{"query":"x"}',
        parent: 'a',
      },
      t: { 'openinference.span.kind': 'TOOL', 'tool.name': 'search', 'input.value': 'x', parent: 'a' },
    })
    expect(firstAgentOf(spans).thinkActSteps[0]?.actToolInfoList).toMatchObject([
      { id: 'call-1', name: 'search', parameters: '{"query":"x"}' },
    ])
  })
})

function asking(id: string): string {
  return JSON.stringify([{ role: 'assistant', parts: [{ type: 'tool_call', id, name: 'search', arguments: {} }] }])
}

describe('another instrumentation inside a plan of planspan’s own', () => {
  it.each<[what: string, spans: Readonly<Record<string, SpanInput>>, lines: string[]]>([
    [
      'is the plan’s agent',
      { p: plan, a: agent('A', 'p'), c: chat('a'), t: tool('search', 'a') },
      ['plan', '  agent A', '    think_act', '      llm', '      tool search'],
    ],
    [
      'is the content of an agent that does nothing else',
      { p: plan, o: { ...own('agent', { [ATTR.agentName]: 'mine' }), parent: 'p' }, a: agent('A', 'o'), c: chat('a') },
      ['plan', '  agent mine', '    think_act', '      llm'],
    ],
    [
      'is a sub-plan beside what an agent does itself',
      {
        p: plan,
        o: { ...own('agent', { [ATTR.agentName]: 'mine' }), parent: 'p' },
        k: { ...own('think_act'), parent: 'o' },
        l: { ...own('llm'), parent: 'k' },
        a: agent('A', 'o'),
        c: chat('a'),
      },
      [
        'plan',
        '  agent mine',
        '    think_act',
        '      llm',
        '      plan A',
        '        agent A',
        '          think_act',
        '            llm',
      ],
    ],
    [
      'is the content of a cycle',
      {
        p: plan,
        o: { ...own('agent'), parent: 'p' },
        k: { ...own('think_act'), parent: 'o' },
        a: agent('A', 'k'),
        c: chat('a'),
        t: tool('search', 'a'),
      },
      ['plan', '  agent', '    think_act', '      llm', '      tool search'],
    ],
    [
      'is the model call around it, whose tools are the cycle’s',
      {
        p: plan,
        o: { ...own('agent'), parent: 'p' },
        k: { ...own('think_act'), parent: 'o' },
        l: { ...own('llm'), parent: 'k' },
        a: agent('A', 'l'),
        c: chat('a'),
        t: tool('search', 'a'),
      },
      ['plan', '  agent', '    think_act', '      llm', '      tool search'],
    ],
    [
      'is the tool call around it, of the same call',
      {
        p: plan,
        o: { ...own('agent'), parent: 'p' },
        k: { ...own('think_act'), parent: 'o' },
        t: { ...own('tool', { [ATTR.toolName]: 'search', [ATTR.toolCallId]: 'x' }), parent: 'k' },
        u: tool('search', 't', 'x'),
      },
      ['plan', '  agent', '    think_act', '      tool search'],
    ],
    [
      'without an agent is done by one that is made up',
      { p: plan, c: chat('p'), t: tool('search', 'p') },
      ['plan', '  agent shop', '    think_act', '      llm', '      tool search'],
    ],
  ])('%s', (_, spans, lines) => {
    expect(outline(rows(spans))).toEqual(lines)
  })

  it('is no plan of its own, but a part of planspan’s plan before that arrives', () => {
    const early = { ...chat('a'), [ATTR.planId]: 'p', [ATTR.planRootId]: 'p' }
    expect(decodeRecord(rows({ a: { ...agent('A', 'p'), [ATTR.planId]: 'p' }, c: early }))).toMatchObject({
      planId: 'p',
      verdict: 'partial',
      missing: ['the span of the plan'],
    })
  })

  it('gives one of planspan’s own calls the tokens that it lacks, and counts them once', () => {
    const inside = (more: Record<string, string>) =>
      rows({
        p: plan,
        o: { ...own('agent'), parent: 'p' },
        k: { ...own('think_act'), parent: 'o' },
        l: { ...own('llm', more), parent: 'k' },
        c: chat('l', 30, 3),
      })
    expect(usageOf(inside({}))).toEqual([30, 3])
    expect(usageOf(inside({ 'gen_ai.usage.input_tokens': '40', 'gen_ai.usage.output_tokens': '4' }))).toEqual([40, 4])
  })

  it('makes the record partial and is named, if it is not understood', () => {
    const odd = { 'gen_ai.operation.name': 'ponder', 'gen_ai.usage.input_tokens': '3', parent: 'p', name: 'ponder' }
    expect(decodeRecord(rows({ p: plan, x: odd }))).toMatchObject({
      verdict: 'partial',
      missing: ['the content of "ponder"'],
    })
  })
})

describe('adoption', () => {
  it('does not change planspan’s own rows, or rows that do not belong to an agent', () => {
    const stored = rows({ p: plan, db: { name: 'SELECT', parent: 'p' } })
    expect(adopt(stored)).toEqual(stored)
  })

  it.each(FOREIGN_TRACES)('of $file does not depend on the order of its rows, or on duplicates', ({ file }) => {
    const stored = foreignRows(file)
    const expected = decodeRecord(stored)
    fc.assert(
      fc.property(fc.shuffledSubarray(stored, { minLength: stored.length }), fc.subarray(stored), (shuffled, again) => {
        expect(decodeRecord([...shuffled, ...again])).toEqual(expected)
      }),
      { numRuns: 20 },
    )
  })

  it.each(FOREIGN_TRACES)('of half of $file gives a record of that half, or no record', ({ file }) => {
    fc.assert(
      fc.property(fc.subarray(foreignRows(file)), (half) => {
        const decoded = decodeRecord(half)
        expect([undefined, 'complete', 'partial', 'redacted']).toContain(decoded?.verdict)
        expect(JSON.parse(decoded?.text ?? 'null')).toEqual(decoded ? expect.any(Object) : null)
      }),
      { numRuns: 50 },
    )
  })

  it('accepts JavaScript’s own property names in listed messages', () => {
    const listed = {
      ...chat('a'),
      'llm.input_messages.0.__proto__.polluted': 'yes',
      'llm.input_messages.0.message.role': 'user',
    }
    decodeRecord(rows({ a: agent('A'), c: listed }))
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('supports cycles of parents, thousands of roots, a name of a million characters and clock skew', () => {
    const circle = rows({ a: agent('A', 'b'), b: agent('B', 'a'), c: chat('a') })
    expect(decodeRecord(circle)?.text).toContain('"agentName":"A"')
    const many = rows(Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`r${n}`, agent(`A${n}`)])))
    expect(decodeRecord(many)?.text).toContain('"agentName":"A4999"')
    expect(
      decodeRecord(rows({ a: { ...agent('n'.repeat(1_000_000)), name: 'x'.repeat(1_000_000) }, c: chat('a') })),
    ).toBeDefined()
    const early = rows({ a: { ...agent('A'), at: 600_000 }, c: { ...chat('a'), at: 5 } })
    expect(outline(early)).toEqual(['plan A', '  agent A', '    think_act', '      llm'])
  })
})
