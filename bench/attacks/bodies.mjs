// Bodies that are small to send and much to read, and large ones of honest senders beside them.
import { gzipSync } from 'node:zlib'

/** A length-delimited protobuf field. */
export function field(number, ...parts) {
  const payload = Buffer.concat(parts)
  const head = [(number << 3) | 2]
  let rest = payload.length
  for (; rest > 0x7f; rest >>>= 7) head.push((rest & 0x7f) | 0x80)
  return Buffer.concat([Buffer.of(...head, rest), payload])
}

/** An empty message of a repeated field, again and again. */
const empty = (number, count) => Buffer.alloc(count * 2, Buffer.of((number << 3) | 2, 0))

const id = (bytes, number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUInt32BE(number + 1, bytes - 4)
  return buffer
}

const ids = (number, trace = 0) => [field(1, id(16, trace)), field(2, id(8, number))]
const request = (...spans) => field(1, field(2, ...spans))

export const emptySpans = (count) => request(empty(2, count))
export const emptyAttributes = (count) => request(field(2, ...ids(0), empty(9, count)))
/** Of a trace of their own, which no other body has. */
export const smallSpans = (count) =>
  request(
    Buffer.concat(
      Array.from({ length: count }, (_, number) => field(2, ...ids(number, 1), field(5, Buffer.from('s')))),
    ),
  )

const objects = (count) => `{}${',{}'.repeat(count - 1)}`
export const emptySpansJson = (count) =>
  Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${objects(count)}]}]}]}`)
export const emptyResourcesJson = (count) => Buffer.from(`{"resourceSpans":[${objects(count)}]}`)

/** An attribute whose value is a list of a list of a list … */
export function nestedValue(depth) {
  let value = '{"stringValue":"x"}'
  for (let level = 0; level < depth; level++) value = `{"arrayValue":{"values":[${value}]}}`
  const attributes = `[{"key":"deep","value":${value}}]`
  const span = `{"traceId":"${'a'.repeat(32)}","spanId":"${'b'.repeat(16)}","attributes":${attributes}}`
  return Buffer.from(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`)
}

/** Gzip that unpacks to so many bytes; packed in pieces, which gzip allows. */
export function bomb(bytes) {
  const piece = gzipSync(Buffer.alloc(1 << 20))
  return Buffer.concat(Array.from({ length: bytes / (1 << 20) }, () => piece))
}

export const agentsRecord = (planId, agents) =>
  Buffer.from(`{"planId":"${planId}","userRequest":"x","completed":true,"agentExecutionSequence":[${objects(agents)}]}`)

/** A plan in a plan in a plan … in one record. */
export function nestedRecord(planId, depth) {
  const inner = '{"agentExecutionSequence":[{"subPlanExecutionRecords":['
  return Buffer.from(
    `{"planId":"${planId}","userRequest":"x","agentExecutionSequence":[{"subPlanExecutionRecords":[${inner.repeat(depth)}` +
      `${']}]}'.repeat(depth)}]}]}`,
  )
}

export const emptyRecords = (count) => Buffer.from('{}\n'.repeat(count))

const text = (name, value) => field(9, field(1, Buffer.from(name)), field(2, field(1, Buffer.from(value))))

/** The spans of a live plan, each sub-plan below the one before it. */
export function nestedPlans(planId, depth) {
  const spans = Array.from({ length: depth }, (_, number) =>
    field(
      2,
      ...ids(number),
      ...(number === 0 ? [] : [field(4, id(8, number - 1))]),
      field(5, Buffer.from('invoke_workflow')),
      text('planspan.span.kind', 'plan'),
      text('planspan.plan.id', number === 0 ? planId : `${planId}-${number}`),
      text('planspan.plan.root_id', planId),
      ...(number === 0 ? [] : [text('planspan.plan.parent_id', number === 1 ? planId : `${planId}-${number - 1}`)]),
    ),
  )
  return request(...spans)
}

/** An SDK's batch: spans with attributes. */
export function batch(spans, attributes) {
  const all = Array.from({ length: attributes }, (_, number) => text(`attribute.${number}`, `value ${number}`))
  return request(
    ...Array.from({ length: spans }, (_, number) => field(2, ...ids(number), field(5, Buffer.from('chat')), ...all)),
  )
}

export const packed = (body) => gzipSync(body)
