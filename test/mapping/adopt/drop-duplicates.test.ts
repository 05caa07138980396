import { describe, expect, it } from 'vitest'

import { decodeRecord, explainTrace, treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { agent, chat, idOf, outline, rows, type SpanInput, tool } from '../../support/adopted-spans.js'

type Spans = Readonly<Record<string, SpanInput>>

const said = (content: string) => ({
  'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content }] }]),
})
const asking = (...names: string[]) => ({
  'gen_ai.output.messages': JSON.stringify([
    { role: 'assistant', parts: names.map((name) => ({ type: 'tool_call', id: `call-${name}`, name, arguments: {} })) },
  ]),
})

/** A call as a client's instrumentation records it, beside the framework's. */
const client = (parent: string, more: Record<string, string>) => ({
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'openai/m-2024',
  by: 'client',
  parent,
  ...more,
})
const answer = (content: string) => ({
  'llm.output_messages.0.message.role': 'assistant',
  'llm.output_messages.0.message.content': content,
})

const callsOf = (spans: Spans): string[] =>
  outline(rows(spans)).flatMap((line) => (/^ +(?:llm|tool)/.test(line) ? [line.trim()] : []))

const tokensOf = (spans: Spans): unknown =>
  treeSpans(rows(spans)).flatMap(({ attributes }) =>
    attributes[ATTR.spanKind] === 'llm' ? [attributes[ATTR.usageInputTokens]] : [],
  )

describe('a model call', () => {
  it.each<[what: string, spans: Spans, calls: number]>([
    [
      'is one with the call of another instrumentation during it that has the same answer',
      {
        a: agent('A'),
        c: { ...chat('a'), ...said('Hi'), at: 1, until: 9 },
        d: { ...client('a', answer('Hi')), at: 2 },
      },
      1,
    ],
    [
      'is one with the next call of another instrumentation that has the same answer, as with a stream',
      { a: agent('A'), c: { ...chat('a'), ...said('Hi') }, d: { ...client('a', answer('Hi')), at: 5 } },
      1,
    ],
    [
      'is one with a call that has the same id',
      {
        a: agent('A'),
        c: { ...chat('a'), 'gen_ai.response.id': 'r-1', at: 1, until: 9 },
        d: { ...client('a', { 'output.value': '{"id":"r-1"}' }), at: 2 },
      },
      1,
    ],
    [
      'is one with a call that requested the same tool call',
      {
        a: agent('A'),
        c: { ...chat('a'), ...asking('search'), at: 1, until: 9 },
        d: { ...chat('a'), ...asking('search', 'open'), at: 2, by: 'client' },
      },
      1,
    ],
    [
      'is one with a call that used the same tokens at the same time, if one of them has no answer',
      {
        a: agent('A'),
        c: { ...chat('a', 70, 7), ...said('Hi'), at: 1, until: 9 },
        d: { ...chat('a', 70, 7), by: 'client', at: 2 },
      },
      1,
    ],
    [
      'is another one if the model is another',
      {
        a: agent('A'),
        c: { ...chat('a'), ...said('Hi'), at: 1, until: 9 },
        d: { ...client('a', answer('Hi')), 'llm.model_name': 'other', at: 2 },
      },
      2,
    ],
    [
      'is another one if the same instrumentation recorded it',
      { a: agent('A'), c: { ...chat('a'), ...said('Hi'), at: 1, until: 9 }, d: { ...chat('a'), ...said('Hi'), at: 2 } },
      2,
    ],
    [
      'is another one if the answer is another',
      {
        a: agent('A'),
        c: { ...chat('a'), ...said('Hi'), at: 1, until: 9 },
        d: { ...client('a', answer('Ho')), at: 2 },
      },
      2,
    ],
    [
      'is another one if it is a later one with another id',
      {
        a: agent('A'),
        c: { ...chat('a'), ...said('Hi'), 'gen_ai.response.id': 'r-1' },
        d: { ...chat('a'), ...said('Hi'), 'gen_ai.response.id': 'r-2', by: 'client' },
      },
      2,
    ],
    [
      'counts each of two attempts below a wrapper',
      { a: agent('A'), w: { ...chat('a'), at: 1, until: 9 }, c: { ...chat('w'), failed: 'overloaded' }, d: chat('w') },
      2,
    ],
    [
      'is no preparation of a call',
      {
        a: agent('A'),
        p: { ...client('a', { 'output.value': '{"messages":["user: Hello"],"tools":[]}' }), by: 'some' },
        c: chat('a'),
      },
      1,
    ],
  ])('%s', (_, spans, calls) => {
    expect(callsOf(spans).filter((call) => call === 'llm')).toHaveLength(calls)
  })

  it('pairs parallel calls of two instrumentations by their answers', () => {
    const at = (start: number) => ({ at: start, until: start + 20 })
    const spans = {
      a: agent('A'),
      c: { ...chat('a', 1), ...said('one'), ...at(1) },
      d: { ...chat('a', 2), ...said('two'), ...at(2) },
      e: { ...client('a', answer('two')), ...at(3) },
      f: { ...client('a', answer('one')), ...at(4) },
    }
    expect(tokensOf(spans)).toEqual(['1', '2'])
  })

  it('has the tokens that only the other record has, and the time of both', () => {
    const { 'gen_ai.usage.input_tokens': _, 'gen_ai.usage.output_tokens': __, ...silent } = chat('a')
    const spans = rows({
      a: { ...agent('A'), until: 99 },
      c: { ...silent, ...said('Hi') },
      d: { ...client('a', { ...answer('Hi'), 'llm.token_count.prompt': '70' }), at: 5, until: 8 },
    })
    const call = treeSpans(spans).find(({ attributes }) => attributes[ATTR.spanKind] === 'llm')
    expect(call).toMatchObject({
      attributes: { [ATTR.usageInputTokens]: '70' },
      startTimeUnixNano: 1_000_000n,
      endTimeUnixNano: 8_000_000n,
    })
  })

  it('has the tokens of the records of one of the other instrumentations, not of all', () => {
    const { 'gen_ai.usage.input_tokens': _, ...silent } = chat('a')
    const spans = {
      a: agent('A'),
      c: { ...silent, 'gen_ai.usage.output_tokens': '', at: 1, until: 9 },
      d: { ...client('c', { 'llm.token_count.prompt': '70' }), at: 2, until: 8 },
      e: { ...client('d', { 'llm.token_count.prompt': '70' }), by: 'another client', at: 3 },
    }
    expect(tokensOf(spans)).toEqual(['70'])
  })

  it('has the cached tokens of a record with the same tokens', () => {
    const spans = rows({
      a: agent('A'),
      c: { ...chat('a', 70, 7), at: 1, until: 9 },
      d: { ...chat('c', 70, 7), 'gen_ai.usage.cache_read.input_tokens': '40', by: 'client', at: 2 },
    })
    const call = treeSpans(spans).find(({ attributes }) => attributes[ATTR.spanKind] === 'llm')
    expect(call?.attributes).toMatchObject({ [ATTR.usageInputTokens]: '70', [ATTR.usageCacheReadTokens]: '40' })
  })

  it('that a wrapper retried fails, and the next attempt has the wrapper’s tokens', () => {
    const spans = treeSpans(
      rows({
        a: agent('A'),
        w: { ...chat('a', 70), at: 1, until: 9 },
        c: { 'openinference.span.kind': 'LLM', parent: 'w', failed: 'overloaded' },
        d: { 'openinference.span.kind': 'LLM', parent: 'w' },
      }),
    ).filter(({ attributes }) => attributes[ATTR.spanKind] === 'llm')
    expect(spans.map(({ statusCode, attributes }) => [statusCode, attributes[ATTR.usageInputTokens]])).toEqual([
      ['ERROR', undefined],
      ['UNSET', '70'],
    ])
  })
})

describe('a tool call', () => {
  const served = (name: string, parent: string) => ({
    ...tool(name, parent),
    'mcp.method.name': 'tools/call',
    by: 'server',
  })

  it.each<[what: string, spans: Spans, calls: string[]]>([
    [
      'is one with the call on a server of tools',
      { a: agent('A'), t: tool('search', 'a', 'call-1'), s: served('search', 't') },
      ['tool search'],
    ],
    [
      'is one with the call on a server that has another name for it',
      { a: agent('A'), t: tool('look up', 'a', 'call-1'), s: served('search', 't') },
      ['tool look up'],
    ],
    [
      'is another one than a call on a server beside a model call in it',
      { a: agent('A'), t: tool('ask', 'a', 'call-1'), c: chat('t'), s: served('search', 't') },
      ['tool ask', 'llm', 'tool search'],
    ],
    [
      'is one with a call whose name lacks that of the server',
      { a: agent('A'), t: tool('mcp__shop__search', 'a', 'call-1'), s: tool('search', 't') },
      ['tool mcp__shop__search'],
    ],
    [
      'is one with the attempts of a wrapper with its name',
      { a: agent('A'), t: tool('search', 'a'), b: { ...tool('search', 't'), failed: 'busy' }, c: tool('search', 't') },
      ['tool search'],
    ],
    [
      'is none if it wraps those that the model requested',
      {
        a: agent('A'),
        c: { ...chat('a'), ...asking('search', 'open') },
        t: tool('run_tools', 'a'),
        b: tool('search', 't'),
        d: tool('open', 't'),
      },
      ['llm', 'tool search', 'tool open'],
    ],
    [
      'is one with the record of another instrumentation beside it, by its id',
      {
        a: agent('A'),
        t: { ...tool('search', 'a', 'call-1'), at: 1, until: 9 },
        u: { ...tool('find', 'a', 'call-1'), at: 2, by: 'other' },
      },
      ['tool search'],
    ],
    [
      'is another one with the same values at another time',
      {
        a: agent('A'),
        t: { ...tool('search', 'a'), 'gen_ai.tool.call.result': 'x' },
        v: tool('open', 'a'),
        u: { ...tool('search', 'a'), 'gen_ai.tool.call.result': 'x', by: 'other' },
      },
      ['tool search', 'tool open', 'tool search'],
    ],
  ])('%s', (_, spans, calls) => {
    expect(callsOf(spans)).toEqual(calls)
  })

  it.each<[what: string, inner: Spans, error: string | undefined]>([
    ['fails if only the inner record did', { s: { ...served('search', 't'), failed: 'no network' } }, 'no network'],
    [
      'does not fail if a later attempt succeeded',
      { s: { ...tool('search', 't'), failed: 'busy' }, u: tool('search', 't') },
      undefined,
    ],
  ])('%s', (_, inner, error) => {
    const spans = treeSpans(rows({ a: agent('A'), c: chat('a'), t: { ...tool('search', 'a'), until: 99 }, ...inner }))
    const call = spans.find(({ attributes }) => attributes[ATTR.spanKind] === 'tool')
    expect(call?.attributes[ATTR.errorMessage]).toBe(error)
    expect(call?.statusCode).toBe(error === undefined ? 'UNSET' : 'ERROR')
  })

  it('on a server without an agent is no plan', () => {
    expect(decodeRecord(rows({ s: served('search', 'remote') }))).toBeUndefined()
  })
})

it('explains which call represents a record', () => {
  const spans = rows({
    a: agent('A'),
    c: { ...chat('a'), ...said('Hi'), at: 1, until: 9 },
    d: { ...client('a', answer('Hi')), at: 2 },
  })
  expect(explainTrace(spans).find(({ spanId }) => spanId === idOf('d'))?.why).toBe(
    `openinference.span.kind = LLM; a duplicate of "c" (${idOf('c')})`,
  )
})
