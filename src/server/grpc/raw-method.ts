import type { ServiceDefinition } from '@grpc/grpc-js'

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
