import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf'

import { InstrumentationScopeSchema, ResourceSchema, type EncodedTracesDataSchema } from '../../otlp/trace_pb.js'
import type { FinalSpan } from '../../store/index.js'
import { toKeyValues } from './attributes.js'
import { encodeSpan } from './encode-span.js'

/** Leaves room for a span of the largest size below the 4 MB that Jaeger accepts. */
const CHUNK_BYTES = 500_000
const MAX_RESOURCE_TEXT = 10_000

type TracesData = MessageInitShape<typeof EncodedTracesDataSchema>

/** Spans of one resource and scope. */
interface Group {
  readonly resource: Uint8Array
  readonly scope: Uint8Array
  readonly spans: Uint8Array[]
}

/**
 * Groups the spans of one trace into messages of OTLP's TracesData that Jaeger accepts; none is empty. Each span is
 * encoded once, as it arrives, since its size decides where a message ends.
 */
export async function* tracesData(spans: AsyncIterable<FinalSpan>): AsyncGenerator<TracesData, void, undefined> {
  let groups = new Map<string, Group>()
  let size = 0
  for await (const span of spans) {
    const bytes = encodeSpan(span)
    const key = JSON.stringify([span.resourceAttributes, span.scopeName, span.scopeVersion])
    let group = groups.get(key)
    if (!group) {
      group = { resource: encodeResource(span), scope: encodeScope(span), spans: [] }
      groups.set(key, group)
      size += group.resource.length + group.scope.length
    }
    group.spans.push(bytes)
    size += bytes.length
    if (size < CHUNK_BYTES) continue
    yield toTracesData(groups.values())
    groups = new Map()
    size = 0
  }
  if (groups.size > 0) yield toTracesData(groups.values())
}

const encodeResource = ({ resourceAttributes }: FinalSpan): Uint8Array =>
  toBinary(ResourceSchema, create(ResourceSchema, { attributes: toKeyValues(resourceAttributes, MAX_RESOURCE_TEXT) }))

const encodeScope = ({ scopeName: name, scopeVersion: version }: FinalSpan): Uint8Array =>
  toBinary(InstrumentationScopeSchema, create(InstrumentationScopeSchema, { name, version }))

const toTracesData = (groups: Iterable<Group>): TracesData => ({
  resourceSpans: [...groups].map(({ resource, scope, spans }) => ({ resource, scopeSpans: { scope, spans } })),
})
