import type { ServiceDefinition } from '@grpc/grpc-js'

import type { Compression } from '../../otlp/index.js'
import { GRPC_CODE } from './grpc-status.js'

/** The bytes before each message: whether it is compressed, and its length. */
export const HEAD_BYTES = 5

/** The single message of a call and its compression, or an error. */
type UnaryMessage =
  | { readonly ok: true; readonly body: Uint8Array; readonly by: Compression | undefined }
  | { readonly ok: false; readonly code: number; readonly details: string }

/** Extracts the single message, of at most `maxBytes`, from the data of a call. */
export function unaryMessage(sent: Uint8Array, by: Compression | undefined, maxBytes: number): UnaryMessage {
  const { buffer, byteOffset, byteLength } = sent
  const broken = (details: string): UnaryMessage => ({ ok: false, code: GRPC_CODE.internal, details })
  if (byteLength < HEAD_BYTES) return broken('The call ended before its message did.')
  const head = new DataView(buffer, byteOffset, HEAD_BYTES)
  const length = head.getUint32(1)
  const isCompressed = head.getUint8(0) === 1
  if (length > maxBytes) {
    const details = `The message has ${length} bytes, and at most ${maxBytes} are taken. Send less at once.`
    return { ok: false, code: GRPC_CODE.resourceExhausted, details }
  }
  if (byteLength !== HEAD_BYTES + length) {
    return broken(`The call has one message of ${length} bytes, and ${byteLength - HEAD_BYTES} bytes came.`)
  }
  if (isCompressed && by === undefined) return broken('The message is compressed, and the call does not say how.')
  return { ok: true, body: sent.subarray(HEAD_BYTES), by: isCompressed ? by : undefined }
}

/** Frames a message without compression. */
export function framed(message: Uint8Array): Uint8Array {
  const frame = new Uint8Array(HEAD_BYTES + message.length)
  new DataView(frame.buffer).setUint32(1, message.length)
  frame.set(message, HEAD_BYTES)
  return frame
}

const asIs = (bytes: Buffer): Buffer => bytes
const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A method for grpc-js. Its messages stay bytes, so that its handler answers malformed ones. */
export const rawMethod = (path: string, responseStream: boolean): ServiceDefinition[string] => ({
  path,
  requestStream: false,
  responseStream,
  requestSerialize: toBuffer,
  requestDeserialize: asIs,
  responseSerialize: toBuffer,
  responseDeserialize: asIs,
})
