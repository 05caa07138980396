import { create, toBinary, toJsonString, type DescMessage, type MessageShape } from '@bufbuild/protobuf'
import { anyPack } from '@bufbuild/protobuf/wkt'

import type { Encoding } from './request.js'
import { ExportTraceServiceResponseSchema } from './response_pb.js'
import { RetryInfoSchema, StatusSchema } from './status_pb.js'

/** The rejected spans of an accepted request. */
export interface PartialSuccess {
  readonly rejectedSpans: number
  readonly errorMessage: string
}

/** Writes an ExportTraceServiceResponse in the request's encoding. Without a partial success all spans are stored. */
export function encodeResponse(encoding: Encoding, partial?: PartialSuccess): Uint8Array {
  const partialSuccess = partial && { rejectedSpans: BigInt(partial.rejectedSpans), errorMessage: partial.errorMessage }
  const response = create(ExportTraceServiceResponseSchema, partialSuccess ? { partialSuccess } : {})
  return encode(encoding, ExportTraceServiceResponseSchema, response)
}

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
