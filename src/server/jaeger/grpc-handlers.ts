import type {
  handleServerStreamingCall,
  handleUnaryCall,
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'

import type { PlanspanError } from '../../error.js'
import type { Method } from './services.js'
import { statusOf } from './status.js'

/** Why nothing can be answered at the moment. */
type Outage = () => PlanspanError | undefined
type Methods = Readonly<Record<string, Method>>

const asIs = (bytes: Buffer): Buffer => bytes
const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A gRPC service whose messages stay bytes. */
export const definitionOf = (service: string, methods: Methods): ServiceDefinition =>
  mapValues(methods, ({ kind }, name) => ({
    path: `/${service}/${name}`,
    requestStream: false,
    responseStream: kind === 'stream',
    requestSerialize: toBuffer,
    requestDeserialize: asIs,
    responseSerialize: toBuffer,
    responseDeserialize: asIs,
  }))

/** What runs its methods. */
export const implementationOf = (methods: Methods, outage: Outage): UntypedServiceImplementation =>
  mapValues(methods, (method) =>
    method.kind === 'unary' ? unaryHandler(method.answer, outage) : streamHandler(method.answer, outage),
  )

const mapValues = <A, B>(values: Readonly<Record<string, A>>, map: (value: A, name: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))

const unaryHandler =
  (answer: (request: Uint8Array) => Promise<Uint8Array>, outage: Outage): handleUnaryCall<Buffer, Uint8Array> =>
  async (call, callback) => {
    try {
      failOn(outage)
      callback(null, await answer(call.request))
    } catch (error) {
      callback(statusOf(error))
    }
  }

const streamHandler =
  (
    answer: (request: Uint8Array) => AsyncIterable<Uint8Array>,
    outage: Outage,
  ): handleServerStreamingCall<Buffer, Uint8Array> =>
  async (call) => {
    try {
      failOn(outage)
      await writeAll(call, answer(call.request))
      call.end()
    } catch (error) {
      call.emit('error', statusOf(error))
    }
  }

/** Writes as fast as the caller reads, so that a large trace is never in memory whole, and stops when it has gone. */
async function writeAll(
  call: ServerWritableStream<Buffer, Uint8Array>,
  messages: AsyncIterable<Uint8Array>,
): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    call.once('cancelled', () => resolve())
  })
  for await (const message of messages) {
    if (call.cancelled) return
    if (call.write(message)) continue
    const drained = new Promise<void>((resolve) => {
      call.once('drain', () => resolve())
    })
    await Promise.race([drained, gone])
  }
}

function failOn(outage: Outage): void {
  const down = outage()
  if (down) throw down
}
