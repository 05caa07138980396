import {
  create,
  fromBinary,
  toBinary,
  type DescMessage,
  type DescMethod,
  type DescService,
  type Message,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf'
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  Metadata,
  ServerWritableStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'

import { PlanspanError } from '../../error.js'
import { type BegunCalls, rawMethod, statusOf } from '../grpc/index.js'

/** A service's methods by name: each returns a promise of its response, or an iterable of streamed messages. */
export type ServiceMethods<Service extends DescService> = {
  readonly [Name in keyof Service['method']]: ServiceMethod<Service['method'][Name]>
}

type ServiceMethod<Method> = Method extends {
  readonly methodKind: infer Kind
  readonly input: infer Input extends DescMessage
  readonly output: infer Output extends DescMessage
}
  ? (
      request: MessageShape<Input>,
    ) => Kind extends 'server_streaming' ? AsyncIterable<MessageInitShape<Output>> : Promise<MessageInitShape<Output>>
  : never

/** Returns the reason why calls cannot be answered. */
type Outage = () => PlanspanError | undefined
type Unary = (request: Message) => Promise<MessageInitShape<DescMessage>>
type Streaming = (request: Message) => AsyncIterable<MessageInitShape<DescMessage>>
/** Returns the service that answers a call with this metadata. */
type For<Run> = (metadata: Metadata) => Promise<Run>

/** The definition of a service for grpc-js. */
export const definitionOf = (service: DescService): ServiceDefinition =>
  Object.fromEntries(
    service.methods.map(({ name, methodKind }) => [
      name,
      rawMethod(`/${service.typeName}/${name}`, methodKind === 'server_streaming'),
    ]),
  )

/** The context of all handlers. */
interface Surroundings {
  readonly outage: Outage
  readonly calls: BegunCalls
}

/** Returns the grpc-js handlers of a service's methods. The service may differ by caller. */
export const handlersOf = <Service extends DescService>(
  service: Service,
  methodsFor: (metadata: Metadata) => Promise<ServiceMethods<Service>>,
  surroundings: Surroundings,
): UntypedServiceImplementation =>
  Object.fromEntries(
    service.methods.map((method) => {
      const runFor = async <Run>(metadata: Metadata): Promise<Run> =>
        ((await methodsFor(metadata)) as Readonly<Record<string, unknown>>)[method.localName] as Run
      return [
        method.name,
        method.methodKind === 'server_streaming'
          ? streamHandler(method, runFor<Streaming>, surroundings)
          : unaryHandler(method, runFor<Unary>, surroundings),
      ]
    }),
  )

const unaryHandler =
  (method: DescMethod, runFor: For<Unary>, { outage, calls }: Surroundings): handleUnaryCall<Buffer, Uint8Array> =>
  (call, callback) =>
    within(calls, call.metadata, async (requestId) => {
      try {
        failOn(outage)
        const run = await runFor(call.metadata)
        callback(null, encode(method.output, await run(decode(method.input, call.request))))
      } catch (error) {
        callback(statusOf(error, requestId))
      }
    })

const streamHandler =
  (
    method: DescMethod,
    runFor: For<Streaming>,
    { outage, calls }: Surroundings,
  ): handleServerStreamingCall<Buffer, Uint8Array> =>
  (call) =>
    within(calls, call.metadata, async (requestId) => {
      try {
        failOn(outage)
        const run = await runFor(call.metadata)
        await writeAll(call, method.output, run(decode(method.input, call.request)))
        call.end()
      } catch (error) {
        call.emit('error', statusOf(error, requestId))
      }
    })

/** Answers a call on behalf of its caller. `answer` does not throw. */
function within(calls: BegunCalls, metadata: Metadata, answer: (requestId?: string) => Promise<void>): void {
  const call = calls.get(metadata)
  void (call ? call.run(() => answer(call.id)) : answer())
}

/**
 * Writes as fast as the caller reads, so that large traces are not held in memory. Stops when the caller disconnects.
 */
async function writeAll(
  call: ServerWritableStream<Buffer, Uint8Array>,
  type: DescMessage,
  messages: AsyncIterable<MessageInitShape<DescMessage>>,
): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    call.once('cancelled', () => resolve())
  })
  for await (const message of messages) {
    if (call.cancelled) return
    if (call.write(encode(type, message))) continue
    const drained = new Promise<void>((resolve) => {
      call.once('drain', () => resolve())
    })
    await Promise.race([drained, gone])
  }
}

const encode = (type: DescMessage, message: MessageInitShape<DescMessage>): Uint8Array =>
  toBinary(type, create(type, message))

/** Decodes a message. Throws `usage` for malformed bytes. */
function decode(type: DescMessage, bytes: Uint8Array): Message {
  try {
    return fromBinary(type, bytes, { readUnknownFields: false })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new PlanspanError('usage', `The request is no ${type.typeName}: ${reason}.`, { cause: error })
  }
}

function failOn(outage: Outage): void {
  const down = outage()
  if (down) throw down
}
