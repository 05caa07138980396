import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import type { Encoding } from './request.js'

/** What a receiver leaves out of an accepted request. */
export interface PartialSuccess {
  readonly rejectedSpans: number
  readonly errorMessage: string
}

/** ExportTraceServiceResponse in the request's encoding; without a partial success it says that all is stored. */
export function encodeResponse(encoding: Encoding, partialSuccess?: PartialSuccess): Uint8Array {
  if (encoding === 'json') {
    const { rejectedSpans = 0, errorMessage = '' } = partialSuccess ?? {}
    return Buffer.from(
      JSON.stringify(partialSuccess ? { partialSuccess: { rejectedSpans: String(rejectedSpans), errorMessage } } : {}),
    )
  }
  const writer = new BinaryWriter()
  if (partialSuccess) {
    writer.tag(1, WireType.LengthDelimited).fork()
    writer.tag(1, WireType.Varint).int64(partialSuccess.rejectedSpans)
    writer.tag(2, WireType.LengthDelimited).string(partialSuccess.errorMessage).join()
  }
  return writer.finish()
}

/** google.rpc.Status, the body of every OTLP/HTTP error, in the request's encoding. */
export function encodeStatus(encoding: Encoding, code: number, message: string): Uint8Array {
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }))
  const writer = new BinaryWriter()
  writer.tag(1, WireType.Varint).int32(code)
  writer.tag(2, WireType.LengthDelimited).string(message)
  return writer.finish()
}
