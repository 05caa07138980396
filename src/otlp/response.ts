import { create, fromBinary, toBinary, toJsonString, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'

import type { Encoding } from './request.js'
import {
  ExportLogsServiceResponseSchema,
  ExportMetricsServiceResponseSchema,
  ExportTraceServiceResponseSchema,
} from './response_pb.js'
import type { Signal } from './signal.js'
import { RetryInfoSchema, StatusSchema } from './status_pb.js'

/** The rejected spans, log records or data points of an accepted request. */
export interface PartialSuccess {
  readonly rejectedSpans: number
  readonly errorMessage: string
}

/** The responses of the signals, which differ in one name. It exists in JSON only. */
const RESPONSES = {
  traces: ExportTraceServiceResponseSchema,
  logs: ExportLogsServiceResponseSchema,
  metrics: ExportMetricsServiceResponseSchema,
} as const satisfies Record<Signal, DescMessage>

/** Writes a response in the request's encoding. Without a partial success everything is stored. */
export function encodeResponse(encoding: Encoding, signal: Signal, partial?: PartialSuccess): Uint8Array {
  const bytes = toBinary(ExportTraceServiceResponseSchema, traceResponse(partial))
  return encoding === 'protobuf' ? bytes : encode(encoding, RESPONSES[signal], fromBinary(RESPONSES[signal], bytes))
}

const traceResponse = (partial: PartialSuccess | undefined) =>
  create(
    ExportTraceServiceResponseSchema,
    partial
      ? { partialSuccess: { rejectedSpans: BigInt(partial.rejectedSpans), errorMessage: partial.errorMessage } }
      : {},
  )

/** Writes a google.rpc.Status, the body of every OTLP/HTTP error, in the request's encoding. */
export const encodeStatus = (encoding: Encoding, code: number, message: string): Uint8Array =>
  encode(encoding, StatusSchema, create(StatusSchema, { code, message }))

/** Writes a google.rpc.Status that says when to retry, as the trailers of OTLP/gRPC contain it. */
export function encodeRetryStatus(code: number, message: string, seconds: number): Uint8Array {
  const retryInfo = create(RetryInfoSchema, { retryDelay: { seconds: BigInt(seconds) } })
  return encode(
    'protobuf',
    StatusSchema,
    create(StatusSchema, { code, message, details: [anyPack(RetryInfoSchema, retryInfo)] }),
  )
}

const encode = <Desc extends DescMessage>(encoding: Encoding, type: Desc, message: MessageShape<Desc>): Uint8Array =>
  encoding === 'json' ? Buffer.from(toJsonString(type, message)) : toBinary(type, message)
