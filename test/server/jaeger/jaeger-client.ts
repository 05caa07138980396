import { type ChannelCredentials, Client, credentials, type ServiceError } from '@grpc/grpc-js'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** A message's fields by number, each with all its values: bytes for length-delimited fields, otherwise the number. */
export type Fields = ReadonlyMap<number, readonly (Uint8Array | bigint)[]>

/** Reads a message without knowing its type. */
export function fieldsOf(bytes: Uint8Array): Fields {
  const fields = new Map<number, (Uint8Array | bigint)[]>()
  const reader = new BinaryReader(bytes)
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    const value =
      wireType === WireType.LengthDelimited
        ? reader.bytes()
        : BigInt(wireType === WireType.Bit64 ? reader.fixed64() : reader.int64())
    fields.set(number, [...(fields.get(number) ?? []), value])
  }
  return fields
}

export const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((bytes) => fieldsOf(bytes as Uint8Array))
export const text = (fields: Fields, number: number): string =>
  Buffer.from((fields.get(number)?.[0] as Uint8Array | undefined) ?? []).toString()
export const hex = (fields: Fields, number: number): string =>
  Buffer.from((fields.get(number)?.[0] as Uint8Array | undefined) ?? []).toString('hex')

/** A field to write. */
export type Field = readonly [number: number, value: Uint8Array | string | number | bigint]

export function message(...fields: readonly Field[]): Uint8Array {
  const writer = new BinaryWriter()
  for (const [number, value] of fields) {
    if (typeof value === 'string') writer.tag(number, WireType.LengthDelimited).string(value)
    else if (value instanceof Uint8Array) writer.tag(number, WireType.LengthDelimited).bytes(value)
    else writer.tag(number, WireType.Varint).int64(value)
  }
  return writer.finish()
}

/** google.protobuf.Timestamp and Duration. */
export const time = (nanos: bigint): Uint8Array => message([1, nanos / 1_000_000_000n], [2, nanos % 1_000_000_000n])

export const GET_TRACES = 'TraceReader/GetTraces'
export const FIND_TRACES = 'TraceReader/FindTraces'
export const FIND_IDS = 'TraceReader/FindTraceIDs'
export const FIND_SUMMARIES = 'TraceReader/FindTraceSummaries'

/** A request that contains a query, and a request for a trace. */
export const query = (...fields: Field[]): Uint8Array => message([1, message(...fields)])
export const byId = (traceId: string): Uint8Array => query([1, Buffer.from(traceId, 'hex')])

/** The outcome of a call: its messages, or the gRPC status. */
export interface Outcome {
  readonly code: number
  readonly details: string
  readonly messages: readonly Uint8Array[]
}

export interface JaegerClient {
  unary(method: string, request?: Uint8Array): Promise<Outcome>
  stream(method: string, request?: Uint8Array): Promise<Outcome>
  /** Reads the first message of a stream and disconnects. */
  abandon(method: string, request: Uint8Array): Promise<Uint8Array>
  close(): void
}

const asIs = (bytes: Buffer): Buffer => bytes
const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes)

/** A gRPC client of the remote storage, as Jaeger's is: messages of up to 4 MB. Methods are named `Service/Method`. */
export function jaegerClient(endpoint: string, trust: ChannelCredentials = credentials.createInsecure()): JaegerClient {
  const client = new Client(endpoint, trust)
  const path = (method: string) => `/jaeger.storage.v2.${method}`
  const open = (method: string, request: Uint8Array) =>
    client.makeServerStreamRequest(path(method), toBuffer, asIs, request)
  return {
    unary: (method, request = new Uint8Array()) =>
      new Promise((resolve) => {
        client.makeUnaryRequest(path(method), toBuffer, asIs, request, (error, response) =>
          resolve(outcomeOf(error, response ? [response] : [])),
        )
      }),
    stream: (method, request = new Uint8Array()) =>
      new Promise((resolve) => {
        const messages: Uint8Array[] = []
        const call = open(method, request)
        call.on('data', (bytes: Buffer) => messages.push(bytes))
        call.on('error', (error) => resolve(outcomeOf(error as ServiceError, messages)))
        call.on('end', () => resolve(outcomeOf(null, messages)))
      }),
    abandon: (method, request) =>
      new Promise((resolve, reject) => {
        const call = open(method, request)
        call.once('data', (bytes: Buffer) => {
          call.cancel()
          resolve(bytes)
        })
        call.on('error', reject)
      }),
    close: () => client.close(),
  }
}

const outcomeOf = (error: ServiceError | null, messages: readonly Uint8Array[]): Outcome => ({
  code: error?.code ?? 0,
  details: error?.details ?? '',
  messages,
})
