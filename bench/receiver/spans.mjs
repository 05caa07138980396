// @ts-nocheck: plain JavaScript over dist/, which need not be there when types are checked.
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

function makeSpan(index, isNested) {
  const start = [1_763_800_000 + (index % 3600), (index * 7919) % 1_000_000_000]
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': `browser_${index % 7}`,
    'gen_ai.tool.call.id': `call_${index}`,
    'gen_ai.conversation.id': `conversation-${index % 50}`,
    'gen_ai.agent.name': 'researcher',
    'planspan.plan.id': `plan-${index % 50}`,
    'gen_ai.usage.input_tokens': 1200 + index,
    'planspan.risk.score': (index % 100) / 7,
    'gen_ai.tool.call.result': 'Found 3 hotels near the station, the cheapest at 84 euros a night.',
  }
  if (isNested) {
    attributes['gen_ai.tool.call.arguments'] = { query: 'hotels', stars: [3, 4], near: { lat: 48.1, lon: 11.5 } }
  }
  return {
    name: `execute_tool browser_${index % 7}`,
    kind: 0,
    spanContext: () => ({
      traceId: `${MARK}${Math.floor(index / 16)
        .toString(16)
        .padStart(24, '0')}`,
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
