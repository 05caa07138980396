import { expect, it } from 'vitest'

import { explainTrace, treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { agentSpan, answers, asks, chatSpan, foreignSpans, says, toolSpan } from '../../support/foreign-spans.js'
import { FOREIGN_TRACES, foreignRows } from '../../support/foreign-traces.js'

it.each(FOREIGN_TRACES)('reports for each span of $file the role that it has in the record', ({ file }) => {
  const roles = (spans: readonly { spanId: string; role: string | null }[]) =>
    spans.map(({ spanId, role }) => `${spanId} ${role ?? ''}`).toSorted()
  const read = treeSpans(foreignRows(file)).map(({ spanId, attributes }) => ({
    spanId,
    role: attributes[ATTR.spanKind] ?? null,
  }))
  // The segments of a plan are one span there.
  const known = new Set(read.map(({ spanId }) => spanId))
  expect(roles(explainTrace(foreignRows(file)).filter(({ spanId }) => known.has(spanId)))).toEqual(roles(read))
})

it('reports what decided a role, where values were read, and which attributes were ignored', () => {
  const reading = explainTrace(foreignRows('vercel-ai/ai-sdk-v7-legacy.otlp.json'))
  expect(reading.find(({ name }) => name === 'ai.toolCall')).toMatchObject({
    role: 'tool',
    convention: 'vercel_ai',
    why: 'ai.operationId = ai.toolCall',
    taken: { [ATTR.toolName]: 'ai.toolCall.name', [ATTR.toolCallArguments]: 'ai.toolCall.args' },
    ignored: ['operation.name', 'resource.name', 'ai.telemetry.functionId'],
  })
  expect(reading[0]).toMatchObject({ role: 'plan', convention: null, why: 'derived: not sent' })
})

it('reports where the finding of a guardrail and an error were read', () => {
  const [row] = foreignRows('logfire/pending-complete.otlp.json')
  const spans = [
    { name: 'a', attributes: { 'gen_ai.operation.name': 'invoke_agent', 'error.type': 'Odd' } },
    {
      name: 'g',
      attributes: {
        'gen_ai.operation.name': 'run_guardrail',
        'gen_ai.guardrail.component.name': 'pii',
        'gen_ai.security.verdict.type': 'allow',
        'security.risk.score': '0.3',
      },
    },
  ]
  const reading = explainTrace(
    spans.map((span) => ({ ...row!, ...span, spanId: span.name, parentSpanId: span.name === 'a' ? '' : 'a' })),
  )
  expect(reading.find(({ role }) => role === 'guardrail')).toMatchObject({
    taken: {
      [ATTR.guardrailName]: 'gen_ai.guardrail.component.name',
      [ATTR.riskScore]: 'security.risk.score',
      [ATTR.riskIsSafe]: 'gen_ai.security.verdict.type',
    },
    ignored: [],
  })
  expect(reading.find(({ name }) => name === 'a')?.ignored).toEqual([])
})

it('reports the attributes of messages that are spread over several attributes', () => {
  const [row] = foreignRows('logfire/pending-complete.otlp.json')
  const attributes = {
    'openinference.span.kind': 'LLM',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Hello',
    'llm.cost.prompt': '1',
  }
  const reading = explainTrace([{ ...row, spanId: 'a', parentSpanId: '', attributes } as NonNullable<typeof row>])
  expect(reading.find(({ role }) => role === 'llm')).toMatchObject({
    taken: { 'gen_ai.input.messages': 'llm.input_messages.*' },
    ignored: ['llm.cost.prompt'],
  })
  const legacy = explainTrace(foreignRows('vercel-ai/ai-sdk-v7-legacy.otlp.json'))
  const call = legacy.find(({ name }) => name === 'ai.generateText.doGenerate')
  expect(call?.ignored).not.toContain('ai.response.text')
  expect(call?.taken['gen_ai.output.messages']).toBe('ai.response.*')
})

it('names duplicates, spans without a role and spans that are not understood', () => {
  const [row] = foreignRows('logfire/pending-complete.otlp.json')
  const span = (spanId: string, parentSpanId: string, attributes: Record<string, string>) =>
    ({ ...row, spanId, parentSpanId, name: spanId, attributes }) as NonNullable<typeof row>
  const reading = explainTrace([
    span('a', '', {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agnet.name': 'A',
      'genai.usage.inputTokens': '1',
    }),
    span('b', 'a', { 'gen_ai.operation.name': 'chat' }),
    span('c', 'b', { 'openinference.span.kind': 'LLM' }),
    span('d', 'a', { 'openinference.span.kind': 'EMBEDDING' }),
    span('e', 'a', { 'gen_ai.operation.name': 'ponder', 'gen_ai.usage.input_tokens': '3' }),
    span('f', 'a', { 'http.method': 'GET' }),
    span('g', 'a', { 'openinference.span.kind': 'CHAIN' }),
  ])
  const whys = new Map(reading.map(({ spanId, why }) => [spanId, why]))
  expect(whys.get('c')).toBe('openinference.span.kind = LLM; a duplicate of "b" (b)')
  expect(whys.get('d')).toBe('openinference.span.kind = EMBEDDING; without a role')
  expect(whys.get('e')).toBe('not understood: no rule matches')
  expect(whys.get('f')).toBe('not part of an agent')
  expect(whys.get('g')).toBe('openinference.span.kind = CHAIN; without a role')
  expect(reading.find(({ spanId }) => spanId === 'a')?.misspelt).toEqual({
    'gen_ai.agnet.name': 'gen_ai.agent.name',
    'genai.usage.inputTokens': 'gen_ai.usage.input_tokens',
  })
})

it('reports the calls that messages contain, what is missing, and where requests and answers were read', () => {
  const search = says('assistant', asks('c1', 'search', { q: 'x' }), asks('c2', 'open', { url: 'y' }))
  const spans = {
    a: agentSpan('A'),
    m1: chatSpan('a', { input: [says('user', 'Hello')], output: [search] }),
    t: toolSpan('a', 'search'),
    m2: chatSpan('a', { input: [search, answers('c1', 'found')], output: [says('assistant', 'Done.')] }),
  }
  const reading = explainTrace(foreignSpans(spans))
  const of = (role: string) => reading.filter((span) => span.role === role)
  const messages = 'the messages of model calls'
  expect(of('plan')[0]?.taken).toMatchObject({ [ATTR.inputMessages]: messages, [ATTR.planSummary]: messages })
  expect(of('tool')).toMatchObject([
    { taken: { [ATTR.toolCallArguments]: messages, [ATTR.toolCallResult]: messages }, missing: null },
    {
      why: 'derived: a model requests it, and no span reports it',
      taken: { [ATTR.toolName]: messages, [ATTR.toolCallArguments]: messages },
      missing: 'the result of the call "open" (c2), which output message 0, part 1 of "m1" requests',
    },
  ])
})
