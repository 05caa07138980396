import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

import type { FoundTrace, Operation, TraceReader, TraceSummary } from '../../store/index.js'
import { toJaegerKind } from './trace-query.js'

type Dependencies = Awaited<ReturnType<TraceReader['dependencies']>>

const NANOS_PER_SECOND = 1_000_000_000n

/** GetServicesResponse. */
export const servicesResponse = (services: readonly string[]): Uint8Array =>
  repeated(services, (writer, service) => writer.string(service))

/** GetOperationsResponse. */
export const operationsResponse = (operations: readonly Operation[]): Uint8Array =>
  repeated(operations, (writer, { name, kind }) => {
    writer.fork()
    writer.tag(1, WireType.LengthDelimited).string(name)
    writer.tag(2, WireType.LengthDelimited).string(toJaegerKind(kind)).join()
  })

/** FindTraceIDsResponse. */
export const traceIdsResponse = (traces: readonly FoundTrace[]): Uint8Array =>
  repeated(traces, (writer, { traceId, first, last }) => {
    writer.fork()
    writer.tag(1, WireType.LengthDelimited).bytes(Buffer.from(traceId, 'hex'))
    writeTimestamp(writer, 2, first)
    writeTimestamp(writer, 3, last)
    writer.join()
  })

/** FindTraceSummariesResponse. */
export const summariesResponse = (summaries: readonly TraceSummary[]): Uint8Array =>
  repeated(summaries, (writer, summary) => {
    writer.fork()
    writer.tag(1, WireType.LengthDelimited).bytes(Buffer.from(summary.traceId, 'hex'))
    writer.tag(2, WireType.LengthDelimited).string(summary.rootService)
    writer.tag(3, WireType.LengthDelimited).string(summary.rootName)
    writer.tag(4, WireType.Bit64).fixed64(summary.start > 0n ? summary.start : 0n)
    writer.tag(5, WireType.Bit64).fixed64(summary.end > 0n ? summary.end : 0n)
    writer.tag(6, WireType.Varint).int32(summary.spans)
    writer.tag(7, WireType.Varint).int32(summary.errors)
    writer.tag(8, WireType.Varint).int32(summary.orphans)
    for (const { name, spans, errors } of summary.services) {
      writer.tag(9, WireType.LengthDelimited).fork()
      writer.tag(1, WireType.LengthDelimited).string(name)
      writer.tag(2, WireType.Varint).int32(spans)
      writer.tag(3, WireType.Varint).int32(errors).join()
    }
    writer.join()
  })

/** GetDependenciesResponse. */
export const dependenciesResponse = (dependencies: Dependencies): Uint8Array =>
  repeated(dependencies, (writer, { parent, child, calls }) => {
    writer.fork()
    writer.tag(1, WireType.LengthDelimited).string(parent)
    writer.tag(2, WireType.LengthDelimited).string(child)
    writer.tag(3, WireType.Varint).uint64(calls)
    writer.tag(4, WireType.LengthDelimited).string('planspan').join()
  })

/** GetCapabilitiesResponse: searches need no service, and one span has to match all of a search. */
export function capabilitiesResponse(): Uint8Array {
  const writer = new BinaryWriter()
  writer.tag(1, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).bool(true)
  writer.tag(2, WireType.Varint).bool(true).join()
  return writer.finish()
}

/** A message whose field 1 repeats. */
function repeated<Item>(items: readonly Item[], write: (writer: BinaryWriter, item: Item) => void): Uint8Array {
  const writer = new BinaryWriter()
  for (const item of items) write(writer.tag(1, WireType.LengthDelimited), item)
  return writer.finish()
}

function writeTimestamp(writer: BinaryWriter, field: number, time: bigint): void {
  const nanos = ((time % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND
  writer.tag(field, WireType.LengthDelimited).fork()
  writer.tag(1, WireType.Varint).int64((time - nanos) / NANOS_PER_SECOND)
  writer.tag(2, WireType.Varint).int32(Number(nanos)).join()
}
