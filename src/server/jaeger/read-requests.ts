import { PlanspanError } from '../../error.js'
import { attributeText, type AnyValue } from '../../otlp/attribute-text.js'
import { ProtobufReader } from '../../otlp/protobuf-reader.js'
import { readProtobufValue } from '../../otlp/protobuf-value.js'
import type { TimeHint, TraceQuery } from '../../store/index.js'
import { readDuration, readMessage, readTimestamp } from './read-message.js'
import { toTraceQuery, type SearchParameters } from './trace-query.js'

/** One trace of a GetTracesRequest. */
export interface TraceParams extends TimeHint {
  /** 32 hex digits. */
  readonly traceId: string
}

/** GetTracesRequest. Throws `usage` for an id that has not 16 bytes. */
export function readGetTraces(bytes: Uint8Array): TraceParams[] {
  const params: TraceParams[] = []
  readMessage(bytes, { 1: (reader) => params.push(readTraceParams(reader.bytes())) })
  return params
}

function readTraceParams(bytes: Uint8Array): TraceParams {
  let id: Uint8Array = new Uint8Array()
  const interval = readInterval(bytes, { start: 2, end: 3, others: { 1: (value) => (id = value) } })
  if (id.length !== 16) {
    throw new PlanspanError('usage', `A trace id has 16 bytes, not ${String(id.length)}.`)
  }
  return { traceId: Buffer.from(id).toString('hex'), ...interval }
}

/** GetOperationsRequest. `spanKind` is '' when all kinds are meant. */
export function readGetOperations(bytes: Uint8Array): { service: string; spanKind: string } {
  let service = ''
  let spanKind = ''
  readMessage(bytes, {
    1: (reader) => (service = reader.string()),
    2: (reader) => (spanKind = reader.string()),
  })
  return { service, spanKind }
}

/** GetDependenciesRequest. */
export const readGetDependencies = (bytes: Uint8Array): TimeHint => readInterval(bytes, { start: 1, end: 2 })

/** FindTracesRequest, and its like with the same field. Throws `usage` for what a search can't be. */
export function readFindTraces(bytes: Uint8Array): TraceQuery {
  let query: Uint8Array = new Uint8Array()
  readMessage(bytes, { 1: (reader) => (query = reader.bytes()) })
  return toTraceQuery(readSearchParameters(query))
}

function readSearchParameters(bytes: Uint8Array): SearchParameters {
  let service = ''
  let operation = ''
  let minDuration: bigint | undefined
  let maxDuration: bigint | undefined
  let depth = 0
  let hasFilter = false
  const attributes = new Map<string, string>()
  const { since, until } = readInterval(bytes, { start: 4, end: 5 })
  readMessage(bytes, {
    1: (reader) => (service = reader.string()),
    2: (reader) => (operation = reader.string()),
    3: (reader) => attributes.set(...readAttribute(reader.bytes())),
    6: (reader) => (minDuration = readDuration(reader.bytes())),
    7: (reader) => (maxDuration = readDuration(reader.bytes())),
    8: (reader) => (depth = reader.int32()),
    9: (reader) => (hasFilter = reader.bytes().length >= 0),
  })
  return { service, operation, attributes, since, until, minDuration, maxDuration, depth, hasFilter }
}

/** A KeyValue, its value as the text that the store has for it. */
function readAttribute(bytes: Uint8Array): [key: string, text: string] {
  let key = ''
  let value: AnyValue = null
  readMessage(bytes, {
    1: (reader) => (key = reader.string()),
    2: (reader) => (value = readAnyValue(reader.bytes())),
  })
  return [key, attributeText(value)]
}

const readAnyValue = (bytes: Uint8Array): AnyValue => readProtobufValue(new ProtobufReader(bytes), [[0, bytes.length]])

interface IntervalFields {
  readonly start: number
  readonly end: number
  readonly others?: Readonly<Record<number, (bytes: Uint8Array) => void>>
}

function readInterval(bytes: Uint8Array, { start, end, others = {} }: IntervalFields): TimeHint {
  let since: bigint | undefined
  let until: bigint | undefined
  readMessage(bytes, {
    [start]: (reader) => (since = readTimestamp(reader.bytes())),
    [end]: (reader) => (until = readTimestamp(reader.bytes())),
    ...Object.fromEntries(
      Object.entries(others).map(([number, read]) => [
        number,
        (reader: { bytes(): Uint8Array }) => read(reader.bytes()),
      ]),
    ),
  })
  return { since, until }
}
