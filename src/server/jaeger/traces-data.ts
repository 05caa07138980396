import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import type { FinalSpan } from '../../store/index.js'
import { spanBytes } from './write-span.js'
import { writeAttributes } from './write-attributes.js'

/** Below the 4 MB that Jaeger takes, with a span of the largest size on top. */
const CHUNK_BYTES = 500_000
const MAX_RESOURCE_TEXT = 10_000

interface Group {
  readonly first: FinalSpan
  readonly spans: Uint8Array[]
}

/** The spans of one trace as OTLP's TracesData, in messages that Jaeger takes; none is empty. */
export async function* tracesData(spans: AsyncIterable<FinalSpan>): AsyncGenerator<Uint8Array, void, undefined> {
  let groups = new Map<string, Group>()
  let size = 0
  for await (const span of spans) {
    const bytes = spanBytes(span)
    const key = JSON.stringify([span.resourceAttributes, span.scopeName, span.scopeVersion])
    const group = groups.get(key)
    if (group) group.spans.push(bytes)
    else groups.set(key, { first: span, spans: [bytes] })
    size += bytes.length
    if (size < CHUNK_BYTES) continue
    yield writeGroups(groups.values())
    groups = new Map()
    size = 0
  }
  if (groups.size > 0) yield writeGroups(groups.values())
}

/** A ResourceSpans with one ScopeSpans for each resource and scope. */
function writeGroups(groups: Iterable<Group>): Uint8Array {
  const writer = new BinaryWriter()
  for (const { first, spans } of groups) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).fork()
    writeAttributes(writer, 1, first.resourceAttributes, MAX_RESOURCE_TEXT)
    writer.join()
    writer.tag(2, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.LengthDelimited).string(first.scopeName)
    writer.tag(2, WireType.LengthDelimited).string(first.scopeVersion).join()
    for (const span of spans) writer.tag(2, WireType.LengthDelimited).bytes(span)
    writer.join().join()
  }
  return writer.finish()
}
