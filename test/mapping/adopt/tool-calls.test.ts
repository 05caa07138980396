import { describe, expect, it } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import type { PlanExecutionRecord } from '../../../src/records/index.js'
import {
  agentSpan,
  answers,
  asks,
  chatSpan,
  type ForeignSpan,
  foreignSpans,
  says,
  toolSpan,
} from '../../support/foreign-spans.js'

type Spans = Readonly<Record<string, ForeignSpan>>

const decoded = (spans: Spans) => decodeRecord(foreignSpans(spans))!

/** Each cycle's calls, as `name id arguments → result`, with what was read from messages in brackets. */
function callsOf(spans: Spans): string[][] {
  const record = JSON.parse(decoded(spans).text) as PlanExecutionRecord
  return record.agentExecutionSequence!.flatMap(({ thinkActSteps }) =>
    thinkActSteps!.map(({ actToolInfoList }) =>
      (actToolInfoList ?? []).map((call) => {
        const { fromMessages, state } =
          (call as { planspan?: { fromMessages?: string[]; state?: string } }).planspan ?? {}
        const marks = [...(fromMessages ?? []), ...(state === undefined ? [] : [state])]
        return `${call.name} ${call.id} ${call.parameters} → ${call.result}${marks.length > 0 ? ` [${marks.join(' ')}]` : ''}`
      }),
    ),
  )
}

const missingOf = (spans: Spans) => decoded(spans).missing

const hello = says('user', 'Hello')
const search = says('assistant', 'I search.', asks('c1', 'search', { q: 'x' }))
const done = says('assistant', 'Done.')

const twoCalls = (second: unknown[], more: Spans = {}): Spans => ({
  a: agentSpan('A'),
  m1: chatSpan('a', { input: [hello], output: [search] }),
  ...more,
  m2: chatSpan('a', { at: 5, input: second, output: [done] }),
})

describe('a tool call that no span reports', () => {
  it('is rebuilt with its arguments and its result from the messages', () => {
    const spans = twoCalls([hello, search, answers('c1', 'found')])
    expect(callsOf(spans)).toEqual([['search c1 {"q":"x"} → found [call arguments result]'], []])
    expect(decoded(spans)).toMatchObject({ verdict: 'complete', missing: [] })
  })

  it('is rebuilt once, in the order of the requests, beside calls with spans', () => {
    const both = says('assistant', asks('c1', 'search', { q: 'x' }), asks('c2', 'open', { url: 'y' }))
    const spans: Spans = {
      a: agentSpan('A'),
      m1: chatSpan('a', { output: [both] }),
      again: chatSpan('a', { output: [both], at: 1 }),
      t: toolSpan('a', 'open', { 'gen_ai.tool.call.id': 'c2', 'gen_ai.tool.call.result': 'page', at: 2 }),
      m2: chatSpan('a', { input: [both, answers('c1', 'found'), answers('c2', 'page')], output: [done] }),
    }
    expect(callsOf(spans).flat()).toEqual([
      'search c1 {"q":"x"} → found [call arguments result]',
      'open c2 {"url":"y"} → page [arguments]',
    ])
  })

  const aiSdk = {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'c1', output: { type: 'error-text', value: 'no such page' } }],
  }

  it.each<[what: string, message: object, error: string]>([
    ['is marked as an error', answers('c1', 'no such page', { is_error: true }), 'no such page'],
    ['is an error of the AI SDK', aiSdk, 'no such page'],
    ['is the JSON of such an error', answers('c1', JSON.stringify(aiSdk.content[0]!.output)), 'no such page'],
    ['is the text of an exception', answers('c1', 'ToolError: no such page'), 'ToolError: no such page'],
  ])('failed if its result %s', (_, message, error) => {
    const spans = twoCalls([hello, search, message])
    const record = JSON.parse(decoded(spans).text) as PlanExecutionRecord
    expect(record.agentExecutionSequence![0]!.thinkActSteps![0]).toMatchObject({
      status: 'FAILED',
      errorMessage: error,
    })
  })

  it.each<[what: string, spans: Spans, call: string, missing: string[]]>([
    [
      'has a gap if no message contains its result',
      twoCalls([hello]),
      'search c1 {"q":"x"} → null [call arguments]',
      ['the result of the call "search" (c1), which output message 0, part 1 of "m1" requests'],
    ],
    [
      'has a result in the answer itself if the provider ran it',
      twoCalls([hello], {
        m1: chatSpan('a', {
          input: [hello],
          output: [says('assistant', asks('c1', 'web_search', { q: 'x' }), ...answers('c1', 'found').parts)],
        }),
      }),
      'web_search c1 {"q":"x"} → found [call arguments result]',
      [],
    ],
    [
      'has a result in the messages of its agent',
      { ...twoCalls([hello]), a: agentSpan('A', { 'gen_ai.output.messages': [search, answers('c1', 'found'), done] }) },
      'search c1 {"q":"x"} → found [call arguments result]',
      [],
    ],
    [
      'was not run if its agent failed',
      { a: agentSpan('A', { failed: 'limit' }), m1: chatSpan('a', { input: [hello], output: [search] }) },
      'search c1 {"q":"x"} → null [call arguments cancelled]',
      [],
    ],
    [
      'is the answer if its agent returned its arguments',
      {
        a: agentSpan('A', { 'gen_ai.output.messages': '{"city":"Rome"}' }),
        m1: chatSpan('a', { input: [hello], output: [says('assistant', asks('c1', 'final', { city: 'Rome' }))] }),
      },
      'final c1 {"city":"Rome"} → null [call arguments completed]',
      [],
    ],
  ])('%s', (_, spans, call, missing) => {
    expect(callsOf(spans)[0]).toEqual([call])
    expect(missingOf(spans)).toEqual(missing)
    expect(decoded(spans).verdict).toBe(missing.length > 0 ? 'partial' : 'complete')
  })

  it('is no call if it is a handoff', () => {
    const handoff = says('assistant', asks('c1', 'transfer_to_b', {}))
    const spans = {
      root: { 'gen_ai.operation.name': 'invoke_workflow' },
      a: agentSpan('A', { parent: 'root' }),
      m1: chatSpan('a', { input: [hello], output: [handoff] }),
      b: agentSpan('B', { parent: 'root' }),
      m2: chatSpan('b', { input: [hello], output: [done] }),
    }
    expect(callsOf(spans).flat()).toEqual([])
    expect(decoded(spans).verdict).toBe('complete')
  })
})

describe('a span of a tool call without contents', () => {
  it.each<[what: string, tool: ForeignSpan, id: string | undefined]>([
    ['by its id', { 'gen_ai.tool.call.id': 'c1' }, 'c1'],
    ['by its name', {}, 'c1'],
    ['by its name and position, without ids', {}, undefined],
  ])('takes its arguments and result from the messages, %s', (_, tool, id) => {
    const asking = says('assistant', asks(id, 'search', { q: 'x' }))
    const spans: Spans = {
      a: agentSpan('A'),
      m1: chatSpan('a', { input: [hello], output: [asking] }),
      t: toolSpan('a', 'search', tool),
      m2: chatSpan('a', { input: [hello, asking, answers(id, 'found')], output: [done] }),
    }
    expect(callsOf(spans)[0]).toEqual([`search ${id ?? null} {"q":"x"} → found [arguments result]`])
  })

  it('has a gap if no message contains its result', () => {
    const spans: Spans = { ...twoCalls([hello]), t: toolSpan('a', 'search', { at: 2 }) }
    expect(missingOf(spans)).toEqual(['the result of the call "search" (c1)'])
  })
})

describe('a model call', () => {
  it('has a gap if it lacks messages that other calls have', () => {
    expect(
      missingOf({ a: agentSpan('A'), m1: chatSpan('a', { input: [hello], output: [done] }), m2: chatSpan('a') }),
    ).toEqual(['the input messages and the output messages of the model call "m2"'])
  })

  it('has a gap if its messages were cut off', () => {
    const spans = { a: agentSpan('A'), m1: chatSpan('a', { input: '[{"role":"user","parts":[{"ty', output: [done] }) }
    expect(missingOf(spans)).toEqual(['the messages after 29 characters of the model call "m1"'])
  })

  it('left its contents out if no call has any', () => {
    const spans = { a: agentSpan('A'), m1: chatSpan('a'), t: toolSpan('a', 'search'), m2: chatSpan('a') }
    expect(decoded(spans)).toMatchObject({ verdict: 'redacted', missing: [] })
  })
})

describe('an agent', () => {
  const t = toolSpan('a', 'search', { at: 2, 'gen_ai.tool.call.id': 'c1', 'gen_ai.tool.call.result': 'found' })
  const m1 = chatSpan('a', { input: [hello], output: [search] })
  const cancelled = { failed: 'CancelledError()' }

  it.each<[what: string, spans: Spans, missing: string[]]>([
    [
      'has a gap if it was cancelled and all its work had succeeded',
      { a: agentSpan('A', { until: 9, ...cancelled }), m1, t },
      ['the work of "a" that was cancelled'],
    ],
    [
      'has no gap if work of it was cancelled',
      { a: agentSpan('A', { until: 9, ...cancelled }), m1, t, m2: chatSpan('a', { at: 4, ...cancelled }) },
      [],
    ],
    [
      'has a gap if it ended without work and without an answer',
      {
        p: { 'gen_ai.operation.name': 'invoke_workflow' },
        a: agentSpan('A', { parent: 'p' }),
        m1,
        t,
        b: agentSpan('B', { parent: 'p' }),
      },
      ['the work of "b"'],
    ],
    [
      'has no gap if it ended with an answer',
      {
        p: { 'gen_ai.operation.name': 'invoke_workflow' },
        a: agentSpan('A', { parent: 'p' }),
        m1,
        t,
        b: agentSpan('B', { parent: 'p', 'output.value': 'Done.' }),
      },
      [],
    ],
  ])('%s', (_, spans, missing) => {
    expect(missingOf(spans)).toEqual(missing)
  })
})

it('leaves out what no lookup of a trace records, beside tool calls that record it', () => {
  const lookup = { 'gen_ai.operation.name': 'search_memory', 'gen_ai.memory.query.text': 'diet', parent: 'a' }
  const result = { 'gen_ai.tool.call.arguments': {}, 'gen_ai.tool.call.result': 'found' }
  const spans: Spans = {
    a: agentSpan('A'),
    m1: chatSpan('a', { input: [hello], output: [done] }),
    t: toolSpan('a', 'search', result),
  }
  expect(decoded({ ...spans, r: lookup })).toMatchObject({ verdict: 'redacted', missing: [] })
  expect(missingOf({ ...spans, r: lookup, s: { ...lookup, 'gen_ai.memory.records': '[]' } })).toEqual([
    'the result of the call "r"',
  ])
})
