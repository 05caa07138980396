// Requests of believable agent spans, about 530 bytes each as protobuf, in both encodings.
import { JsonTraceSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'

/** Where each request writes its own number: in the ids of its traces, plans, steps, tool calls and conversations. */
const MARK = 'feedface'
/** Where each sender writes the id of its instance, as agents' SDKs do. */
const INSTANCE = 'c0c0cafe'

const resource = {
  attributes: {
    'service.name': 'trip-agent',
    'service.version': '1.4.2',
    'deployment.environment.name': 'bench',
    'host.name': 'bench-1',
    'service.instance.id': INSTANCE,
  },
}
const instrumentationScope = { name: 'planspan', version: '0.1.0' }

/** The spans of a plan: itself, an agent, three cycles, and in each a model call, a guardrail and two tool calls. */
const ROLES = [
  'plan',
  'agent',
  ...Array.from({ length: 14 }, (_, at) => ['cycle', 'chat', 'guardrail', 'tool', 'tool'][at % 5]),
]

const WORDS = (
  'the of to in for a and is on with hotel station flight price night river museum train day weather search result page ' +
  'form click select compare cheapest rating breakfast centre booking traveller airport minutes walk euros policy risk ' +
  'nothing shared user account confirm review step plan next found three between morning evening Lisbon Porto Madrid'
).split(' ')

/** A generator of numbers in [0, 1) that gives the same ones each time: mulberry32. */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const hex = (random, bytes) =>
  Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('')

const prose = (random, count) =>
  Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')

const message = (role, text) => JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }])

const ATTRIBUTES = {
  plan: (random) => ({
    'gen_ai.operation.name': 'invoke_workflow',
    'gen_ai.agent.name': 'trip',
    'planspan.plan.title': prose(random, 5),
    'gen_ai.input.messages': message('user', prose(random, 12)),
    'planspan.plan.summary': prose(random, 20),
    'planspan.state': 'completed',
  }),
  agent: (random) => ({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'researcher',
    'planspan.step.id': `step-${MARK}${hex(random, 4)}`,
    'gen_ai.output.messages': message('assistant', prose(random, 12)),
  }),
  cycle: (random) => ({
    'gen_ai.operation.name': 'agent_step',
    'planspan.step.index': Math.floor(random() * 3),
    'planspan.act.needed': true,
    'planspan.act.description': prose(random, 12),
  }),
  chat: (random) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-5.4-mini',
    'gen_ai.output.messages': message('assistant', prose(random, 12)),
    'gen_ai.usage.input_tokens': 800 + Math.floor(random() * 4000),
    'gen_ai.usage.output_tokens': 20 + Math.floor(random() * 400),
  }),
  guardrail: (random) => ({
    'gen_ai.operation.name': 'run_guardrail',
    'planspan.guardrail.name': 'safepred',
    'planspan.risk.score': random() * 100,
    'planspan.risk.is_safe': true,
    'planspan.risk.explanation': prose(random, 12),
  }),
  tool: (random) => ({
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': `browser_${Math.floor(random() * 7)}`,
    'gen_ai.tool.call.id': `call_${MARK}${hex(random, 6)}`,
    'gen_ai.tool.call.result': prose(random, 12),
  }),
}

/** The positions of the spans' parents: the agent below the plan, cycles below the agent, calls below their cycle. */
const PARENTS = ROLES.map((role, at) => {
  if (role === 'plan') return undefined
  if (role === 'agent') return 0
  return role === 'cycle' ? 1 : ROLES.lastIndexOf('cycle', at)
})

/** What the spans of one plan have in common. */
function makePlan(number, weeksEarlier) {
  const random = randomFrom(number)
  return {
    random,
    id: `plan-${MARK}${hex(random, 4)}`,
    conversation: `conversation-${MARK}${hex(random, 4)}`,
    spanIds: ROLES.map(() => hex(random, 8)),
    traceId: `${MARK}${hex(random, 12)}`,
    startSeconds: 1_763_800_000 - weeksEarlier * 7 * 86_400 + Math.floor(random() * 3600),
  }
}

function makeSpan(plan, position, isNested) {
  const { random } = plan
  const start = [plan.startSeconds + position, Math.floor(random() * 1e9)]
  const role = ROLES[position]
  const contextOf = (at) => ({ traceId: plan.traceId, spanId: plan.spanIds[at], traceFlags: 1 })
  const spanContext = contextOf(position)
  const parent = PARENTS[position]
  const attributes = {
    'planspan.span.kind': role === 'cycle' ? 'think_act' : role === 'chat' ? 'llm' : role,
    'planspan.schema.version': 1,
    'planspan.plan.id': plan.id,
    'planspan.plan.root_id': plan.id,
    'gen_ai.conversation.id': plan.conversation,
    'planspan.seq': position,
    ...ATTRIBUTES[role](random),
  }
  if (isNested) {
    attributes['gen_ai.tool.call.arguments'] = { query: 'hotels', stars: [3, 4], near: { lat: 48.1, lon: 11.5 } }
  }
  return {
    name: `${attributes['gen_ai.operation.name']} ${attributes['gen_ai.tool.name'] ?? 'researcher'}`,
    kind: 0,
    spanContext: () => spanContext,
    ...(parent !== undefined && { parentSpanContext: contextOf(parent) }),
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

/** Makes requests of `size` spans; `nested` is the share of requests with nested values. */
export function makeRequests({ encoding, nested, size, count = 128, weeksEarlier = 0 }) {
  const serializer = encoding === 'json' ? JsonTraceSerializer : ProtobufTraceSerializer
  return Array.from({ length: count }, (_, request) => {
    const plans = Array.from({ length: Math.ceil(size / ROLES.length) }, (_, plan) =>
      makePlan(request * 1000 + plan, weeksEarlier),
    )
    const spans = Array.from({ length: size }, (_, span) =>
      makeSpan(plans[Math.floor(span / ROLES.length)], span % ROLES.length, request < count * nested),
    )
    const body = Buffer.from(serializer.serializeRequest(spans))
    const binary = encoding === 'json' ? [] : offsetsOf(body, Buffer.from(MARK, 'hex'))
    return { body, binary, texts: offsetsOf(body, Buffer.from(MARK)), instance: body.indexOf(INSTANCE), spans: size }
  })
}

function offsetsOf(body, mark) {
  const offsets = []
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) offsets.push(at)
  return offsets
}

/** Writes the request's own number into its ids, and its sender's into the resource: no id is ever sent again. */
export function renumber({ body, binary, texts, instance }, number, sender) {
  body.write(hexOf(sender), instance, 'latin1')
  const text = hexOf(number)
  for (const offset of texts) body.write(text, offset, 'latin1')
  for (const offset of binary) body.writeUInt32BE(number, offset)
  return body
}

const hexOf = (number) => number.toString(16).padStart(8, '0')
