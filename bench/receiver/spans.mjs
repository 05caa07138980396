// Requests of believable agent spans, about 450 bytes each as protobuf, in both encodings.
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'

const SPANS = 512
/** Stands where each sending writes bytes of its own, so that no two requests are the same insert. */
const MARK = 'feedface'

const resource = {
  attributes: {
    'service.name': 'trip-agent',
    'service.version': '1.4.2',
    'deployment.environment.name': 'bench',
    'host.name': 'bench-1',
  },
}
const instrumentationScope = { name: 'planspan', version: '0.1.0' }

/** The spans of a plan: itself, an agent, three cycles, and in each a model call, a guardrail and two tool calls. */
const ROLES = [
  'plan',
  'agent',
  ...Array.from({ length: 14 }, (_, at) => ['cycle', 'chat', 'guardrail', 'tool', 'tool'][at % 5]),
]

const ATTRIBUTES = {
  plan: (plan) => ({
    'gen_ai.operation.name': 'invoke_workflow',
    'planspan.plan.title': 'A weekend in Lisbon',
    'gen_ai.input.messages':
      '[{"role":"user","parts":[{"type":"text","content":"Plan a weekend in Lisbon for two."}]}]',
    'planspan.plan.summary': `Flights for 312 euros, Hotel Alfama for 280 euros, plan ${plan}.`,
    'planspan.state': 'completed',
  }),
  agent: (plan) => ({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'researcher',
    'planspan.step.id': `step-${plan}`,
    'gen_ai.output.messages':
      '[{"role":"assistant","parts":[{"type":"text","content":"Three hotels near the station."}]}]',
  }),
  cycle: (plan, index) => ({
    'gen_ai.operation.name': 'agent_step',
    'planspan.step.index': index % 3,
    'planspan.act.needed': true,
    'planspan.act.description': 'Search the web for hotels near the station, then compare their prices.',
  }),
  chat: (plan, index) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-5.4-mini',
    'gen_ai.output.messages': '[{"role":"assistant","parts":[{"type":"text","content":"I search for hotels first."}]}]',
    'gen_ai.usage.input_tokens': 1200 + index,
    'gen_ai.usage.output_tokens': 80,
  }),
  guardrail: (plan, index) => ({
    'gen_ai.operation.name': 'run_guardrail',
    'planspan.guardrail.name': 'safepred',
    'planspan.risk.score': (index % 100) / 7,
    'planspan.risk.is_safe': true,
    'planspan.risk.explanation': 'A search changes nothing on the page and shares nothing of the user.',
  }),
  tool: (plan, index) => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': `browser_${index % 7}`,
    'gen_ai.tool.call.id': `call_${index}`,
    'gen_ai.tool.call.result': 'Found 3 hotels near the station, the cheapest at 84 euros a night.',
  }),
}

function makeSpan(index, isNested) {
  const start = [1_763_800_000 + (index % 3600), (index * 7919) % 1_000_000_000]
  const plan = Math.floor(index / ROLES.length)
  const role = ROLES[index % ROLES.length]
  const attributes = {
    'planspan.span.kind': role === 'cycle' ? 'think_act' : role === 'chat' ? 'llm' : role,
    'planspan.schema.version': 1,
    'planspan.plan.id': `plan-${plan}`,
    'planspan.plan.root_id': `plan-${plan}`,
    'gen_ai.conversation.id': `conversation-${plan}`,
    'planspan.seq': index % 3,
    ...ATTRIBUTES[role](plan, index),
  }
  if (isNested) {
    attributes['gen_ai.tool.call.arguments'] = { query: 'hotels', stars: [3, 4], near: { lat: 48.1, lon: 11.5 } }
  }
  return {
    name: `${attributes['gen_ai.operation.name']} ${attributes['gen_ai.tool.name'] ?? 'researcher'}`,
    kind: 0,
    spanContext: () => ({
      traceId: `${MARK}${plan.toString(16).padStart(24, '0')}`,
      spanId: (index + 1).toString(16).padStart(16, '0'),
      traceFlags: 1,
    }),
    parentSpanContext: { traceId: MARK.padEnd(32, '0'), spanId: 'b7ad6b7169203331', traceFlags: 1 },
    startTime: start,
    endTime: [start[0] + 1, start[1]],
    status: { code: 0 },
    attributes,
    links: [],
    events: [],
    duration: [1, 0],
    ended: true,
    resource,
    instrumentationScope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

/** Some requests, and where the trace ids of each are made its own; `nested` is the share of them with nested values. */
export function makeRequests({ encoding, nested, count = 32 }) {
  const serializer = encoding === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer
  const mark = encoding === 'json' ? Buffer.from(MARK) : Buffer.from(MARK, 'hex')
  return Array.from({ length: count }, (_, request) => {
    const spans = Array.from({ length: SPANS }, (_, span) => makeSpan(request * SPANS + span, request < count * nested))
    const body = Buffer.from(serializer.serializeRequest(spans))
    const offsets = []
    for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) offsets.push(at)
    return { body, offsets, spans: SPANS }
  })
}

/** Gives the trace ids of a request a number of their own. */
export function renumber({ body, offsets }, encoding, number) {
  for (const offset of offsets) {
    if (encoding === 'json') body.write(number.toString(16).padStart(8, '0'), offset, 'latin1')
    else body.writeUInt32BE(number, offset)
  }
  return body
}
