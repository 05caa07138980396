import { type Attributes, type Span, SpanKind, type Tracer, type TracerProvider } from '@opentelemetry/api'
import type { LogsJson } from '../otlp/encode-logs.js'

type Children = (span: Span) => void

const said = (role: string, content: string): string => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
const usage = (input: number, output: number): Attributes => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
})
const CHAT: Attributes = { 'gen_ai.provider.name': 'openai', 'gen_ai.request.model': 'gpt-5' }
const EVALUATION = {
  'gen_ai.evaluation.name': 'relevance',
  'gen_ai.evaluation.score.value': 0.75,
  'gen_ai.evaluation.score.label': 'relevant',
  'gen_ai.evaluation.explanation': 'It names the museums.',
}

/**
 * Emits a trace of the GenAI conventions' release with OpenTelemetry's API alone: a workflow with an agent that uses a
 * memory, a skill, a tool over MCP, a guardrail and a retrieval. Returns the log records that belong to it.
 */
export function emitReleaseTrace(provider: TracerProvider): LogsJson {
  const tracer = provider.getTracer('trip-app')
  let evaluated: Span | undefined
  const run = (name: string, operation: string, attributes: Attributes, children: Children = () => undefined): void =>
    inSpan(tracer, name, SpanKind.INTERNAL, { 'gen_ai.operation.name': operation, ...attributes }, children)
  const call = (name: string, operation: string, attributes: Attributes, children: Children = () => undefined): void =>
    inSpan(tracer, name, SpanKind.CLIENT, { 'gen_ai.operation.name': operation, ...attributes }, children)
  const toolsCall: Attributes = {
    'mcp.method.name': 'tools/call',
    'gen_ai.tool.name': 'search',
    'mcp.session.id': 's-1',
  }

  run('invoke_workflow trip', 'invoke_workflow', WORKFLOW, () => {
    run('invoke_agent guide', 'invoke_agent', AGENT, () => {
      call('search_memory', 'search_memory', {
        'gen_ai.memory.store.id': 'ms-1',
        'gen_ai.memory.query.text': 'tastes',
        'gen_ai.memory.record.count': 1,
        'gen_ai.memory.records': '[{"content":"likes museums"}]',
      })
      call('chat gpt-5', 'chat', { ...CHAT, ...PARAMETERS, ...usage(100, 10) }, (span) => {
        span.addEvent('gen_ai.evaluation.result', EVALUATION)
      })
      run('execute_tool load_skill routes', 'execute_tool', {
        'gen_ai.tool.name': 'load_skill',
        'gen_ai.tool.call.id': 'call-1',
        'gen_ai.tool.call.result': 'Go on foot.',
        'gen_ai.skill.name': 'routes',
      })
      run('run_guardrail safety', 'run_guardrail', { 'gen_ai.agent.name': 'guide' }, (span) => {
        span.addEvent('gen_ai.evaluation.result', {
          'gen_ai.evaluation.name': 'risk',
          'gen_ai.evaluation.score.value': 0.25,
          'gen_ai.evaluation.score.label': 'pass',
        })
      })
      run(
        'execute_tool search',
        'execute_tool',
        {
          'gen_ai.tool.name': 'search',
          'gen_ai.tool.call.id': 'call-2',
          'gen_ai.tool.call.arguments': '{"query":"museums"}',
          'gen_ai.tool.call.result': '["Uffizi"]',
        },
        () => {
          call('tools/call search', 'execute_tool', { ...toolsCall, 'network.transport': 'tcp' }, () => {
            const attributes = { 'gen_ai.operation.name': 'execute_tool', ...toolsCall }
            inSpan(tracer, 'tools/call search', SpanKind.SERVER, attributes, () => undefined)
          })
        },
      )
      call('retrieval docs', 'retrieval', {
        'gen_ai.data_source.id': 'docs',
        'gen_ai.retrieval.query.text': 'opening hours',
        'gen_ai.retrieval.top_k': 3,
        'gen_ai.retrieval.documents': '[{"id":"d-1","score":0.9}]',
      })
      call('chat gpt-5', 'chat', { ...CHAT, ...ANSWER, ...usage(200, 20) }, (span) => {
        evaluated = span
      })
    })
  })
  return logsOf(evaluated)
}

const WORKFLOW: Attributes = {
  'gen_ai.agent.name': 'trip',
  'gen_ai.workflow.name': 'trip',
  'gen_ai.conversation.id': 'conv-1',
  'gen_ai.invocation.is_nested': false,
  'gen_ai.input.messages': said('user', 'Plan a day in Florence.'),
  'gen_ai.output.messages': said('assistant', 'See the Uffizi.'),
}
const AGENT: Attributes = {
  'gen_ai.agent.name': 'guide',
  'gen_ai.agent.description': 'Knows museums.',
  'gen_ai.invocation.is_nested': true,
  'gen_ai.input.messages': said('user', 'Plan a day in Florence.'),
  'gen_ai.output.messages': said('assistant', 'See the Uffizi.'),
}
const PARAMETERS: Attributes = {
  'gen_ai.input.messages': said('user', 'Plan a day in Florence.'),
  'gen_ai.output.messages': JSON.stringify([
    {
      role: 'assistant',
      parts: [
        { type: 'tool_call', id: 'call-1', name: 'load_skill', arguments: { name: 'routes' } },
        { type: 'tool_call', id: 'call-2', name: 'search', arguments: { query: 'museums' } },
      ],
    },
  ]),
  'gen_ai.request.temperature': 0.5,
  'gen_ai.request.top_k': 40,
  'gen_ai.request.max_tokens': 500,
  'gen_ai.request.stop_sequences': ['END'],
  'gen_ai.request.stream': true,
  'gen_ai.response.time_to_first_chunk': 0.25,
  'gen_ai.usage.cache_read.input_tokens': 40,
  'gen_ai.usage.cache_write.input_tokens': 30,
  'gen_ai.usage.cost.amount': 0.5,
  'gen_ai.usage.cost.currency': 'USD',
  'gen_ai.usage.cost.source': 'provider',
  'gen_ai.prompt.name': 'travel',
  'gen_ai.prompt.version': '2',
  'gen_ai.prompt.variable.city': 'Florence',
  'openai.request.service_tier': 'default',
  'server.address': 'api.example.com',
  'acme.mood': 'glad',
}
const ANSWER: Attributes = {
  'gen_ai.input.messages': said('user', 'Plan a day in Florence.'),
  'gen_ai.output.messages': said('assistant', 'See the Uffizi.'),
  'gen_ai.response.id': 'resp-2',
  'gen_ai.response.finish_reasons': ['stop'],
  'gen_ai.usage.cache_creation.input_tokens': 20,
}

/** Each start and each end is ten milliseconds later than the one before. */
let clock = Date.now() - 60_000
const nextTime = (): number => (clock += 10)

function inSpan(tracer: Tracer, name: string, kind: SpanKind, attributes: Attributes, children: Children): void {
  tracer.startActiveSpan(name, { kind, attributes, startTime: nextTime() }, (span) => {
    children(span)
    span.end(nextTime())
  })
}

function logsOf(span: Span | undefined): LogsJson {
  const { traceId = '', spanId = '' } = span?.spanContext() ?? {}
  const now = `${Date.now()}000000`
  const attributes = Object.entries(EVALUATION).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }))
  const record = { timeUnixNano: now, observedTimeUnixNano: now, traceId, spanId, attributes }
  return {
    resourceLogs: [{ scopeLogs: [{ logRecords: [{ ...record, eventName: 'gen_ai.evaluation.result' }] }] }],
  }
}

/** The record of that trace, in part. The last evaluation arrives as a log record. */
export const RECORD = {
  title: 'trip',
  userRequest: 'Plan a day in Florence.',
  summary: 'See the Uffizi.',
  completed: true,
  agentExecutionSequence: [
    {
      agentName: 'guide',
      agentDescription: 'Knows museums.',
      thinkActSteps: [
        { actToolInfoList: [{ name: 'search_memory', parameters: 'tastes', result: '[{"content":"likes museums"}]' }] },
        {
          actToolInfoList: [
            { name: 'load_skill', id: 'call-1', result: 'Go on foot.' },
            { name: 'search', id: 'call-2', parameters: '{"query":"museums"}', result: '["Uffizi"]' },
            { name: 'retrieval docs', parameters: 'opening hours' },
          ],
          planspan: {
            usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 40, cacheWriteTokens: 30 },
            modelCalls: [
              {
                model: 'gpt-5',
                provider: 'openai',
                costUsd: 0.5,
                evaluations: [{ name: 'relevance', score: 0.75, label: 'relevant' }],
                attributes: {
                  'gen_ai.prompt.name': 'travel',
                  'gen_ai.prompt.version': '2',
                  'gen_ai.request.temperature': '0.5',
                  'gen_ai.response.time_to_first_chunk': '0.25',
                },
              },
            ],
            risk: { assessments: [{ name: 'safety', score: 0.25, isSafe: true }] },
          },
        },
        {
          thinkOutput: 'See the Uffizi.',
          planspan: { modelCalls: [{ inputTokens: 200, cacheWriteTokens: 20 }] },
        },
      ],
    },
  ],
  planspan: {
    foreign: { convention: 'gen_ai', explicitPlan: true },
    attributes: { 'gen_ai.invocation.is_nested': 'false' },
  },
}
