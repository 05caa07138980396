import { create, toBinary, type MessageInitShape } from '@bufbuild/protobuf'

import { InstrumentationScopeSchema, ResourceSchema, type EncodedTracesDataSchema } from '../../otlp/trace_pb.js'
import type { FinalSpan } from '../../store/index.js'
import { writeAttributes } from './span-attributes.js'
import { encodeSpan } from './encode-span.js'
import { fieldNumbers, WireWriter } from './wire-writer.js'

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
 * Groups spans, which arrive trace by trace, into messages of OTLP's TracesData. As Jaeger requires, messages are not
 * empty and contain spans of one trace. Each span is encoded once on arrival, because its size determines the grouping.
 */
export async function* tracesData(
  traces: AsyncIterable<readonly FinalSpan[]>,
): AsyncGenerator<TracesData, void, undefined> {
  let message = new Message()
  for await (const spans of traces) {
    for (const span of spans) {
      if (message.isFull || (message.traceId !== undefined && message.traceId !== span.traceId)) {
        yield message.toTracesData()
        message = new Message()
      }
      message.add(span)
    }
  }
  if (message.traceId !== undefined) yield message.toTracesData()
}

class Message {
  traceId: string | undefined
  readonly #groups = new Map<string, Group>()
  #size = 0

  get isFull(): boolean {
    return this.#size >= CHUNK_BYTES
  }

  add(span: FinalSpan): void {
    const bytes = encodeSpan(span)
    const key = JSON.stringify([span.resourceAttributes, span.scopeName, span.scopeVersion])
    let group = this.#groups.get(key)
    if (!group) {
      group = { resource: encodeResource(span), scope: encodeScope(span), spans: [] }
      this.#groups.set(key, group)
      this.#size += group.resource.length + group.scope.length
    }
    group.spans.push(bytes)
    this.#size += bytes.length
    this.traceId = span.traceId
  }

  toTracesData(): TracesData {
    const groups = [...this.#groups.values()]
    return { resourceSpans: groups.map(({ resource, scope, spans }) => ({ resource, scopeSpans: { scope, spans } })) }
  }
}

const RESOURCE = fieldNumbers(ResourceSchema)

function encodeResource({ resourceAttributes }: FinalSpan): Uint8Array {
  const writer = new WireWriter()
  writeAttributes(writer, RESOURCE.attributes, resourceAttributes, MAX_RESOURCE_TEXT)
  return writer.take()
}

const encodeScope = ({ scopeName: name, scopeVersion: version }: FinalSpan): Uint8Array =>
  toBinary(InstrumentationScopeSchema, create(InstrumentationScopeSchema, { name, version }))
