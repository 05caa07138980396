import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import type { FinalSpan } from '../../store/index.js'
import { spanBytes } from './write-span.js'
import { writeAttributes } from './write-attributes.js'

/** Below the 4 MB that Jaeger takes, with a span of the largest size on top. */
const CHUNK_BYTES = 500_000
const MAX_RESOURCE_TEXT = 10_000

interface Group {
  /** The Resource and the InstrumentationScope of all its spans. */
  readonly resource: Uint8Array
  readonly scope: Uint8Array
  readonly spans: Uint8Array[]
}

/** The spans of one trace as OTLP's TracesData, in messages that Jaeger takes; none is empty. */
export async function* tracesData(spans: AsyncIterable<FinalSpan>): AsyncGenerator<Uint8Array, void, undefined> {
  let groups = new Map<string, Group>()
  let size = 0
  for await (const span of spans) {
    const bytes = spanBytes(span)
    const key = JSON.stringify([span.resourceAttributes, span.scopeName, span.scopeVersion])
    let group = groups.get(key)
    if (!group) {
      group = { resource: resourceBytes(span), scope: scopeBytes(span), spans: [] }
      groups.set(key, group)
      size += group.resource.length + group.scope.length
    }
    group.spans.push(bytes)
    size += bytes.length
    if (size < CHUNK_BYTES) continue
    yield writeGroups(groups.values())
    groups = new Map()
    size = 0
  }
  if (groups.size > 0) yield writeGroups(groups.values())
}

function resourceBytes({ resourceAttributes }: FinalSpan): Uint8Array {
  const writer = new BinaryWriter()
  writeAttributes(writer, 1, resourceAttributes, MAX_RESOURCE_TEXT)
  return writer.finish()
}

function scopeBytes({ scopeName, scopeVersion }: FinalSpan): Uint8Array {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).string(scopeName)
  writer.tag(2, WireType.LengthDelimited).string(scopeVersion)
  return writer.finish()
}

/** A ResourceSpans with one ScopeSpans for each resource and scope. */
function writeGroups(groups: Iterable<Group>): Uint8Array {
  const writer = new BinaryWriter()
  for (const { resource, scope, spans } of groups) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).bytes(resource)
    writer.tag(2, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).bytes(scope)
    for (const span of spans) writer.tag(2, WireType.LengthDelimited).bytes(span)
    writer.join().join()
  }
  return writer.finish()
}
