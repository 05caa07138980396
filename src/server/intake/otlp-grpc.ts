import type { Gate, Principal } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import { encodeResponse, encodeRetryStatus, SIGNALS, type Compression, type Signal } from '../../otlp/index.js'
import {
  admitCall,
  GRPC_CODE,
  HEAD_BYTES,
  listenUnary,
  statusOf,
  type UnaryAnswer,
  type UnaryHandler,
  unaryMessage,
} from '../grpc/index.js'
import {
  type BodyResult,
  type Listener,
  type ListenOptions,
  piecesOfStream,
  retrySeconds,
  type Unread,
} from '../http/index.js'
import { GRPC_SCOPES } from '../../wire/index.js'
import { takeRequest, wholeIntake, type SpanIntake, type WholeIntake } from './span-intake.js'

/** Admits calls, and finds the intake of their tenant. */
export interface Guarding {
  readonly gate: Gate
  /** The intake of a tenant; undefined for the server's own. Throws where it cannot be opened. */
  readonly intakeOf: (principal: Principal | undefined) => Promise<WholeIntake | undefined>
}

type TenantHandler = (principal: Principal | undefined, ...call: Parameters<UnaryHandler>) => Promise<UnaryAnswer>

/**
 * Serves OTLP/gRPC as specified (https://opentelemetry.io/docs/specs/otlp/#otlpgrpc). Answers once the spans or logs are stored.
 * Throws what `listenUnary` throws.
 */
export function listenOtlp(intake: SpanIntake, address: ListenOptions, guarding?: Guarding): Promise<Listener> {
  const own = wholeIntake(intake)
  const { bodies } = own
  const take = async (
    signal: Signal,
    whole: WholeIntake,
    ...[stream, { 'grpc-encoding': encoding = 'identity' }, requestId]: Parameters<UnaryHandler>
  ): Promise<UnaryAnswer> => {
    const by = COMPRESSIONS.get(String(encoding))
    if (!by) {
      return refuse(
        GRPC_CODE.unimplemented,
        `The grpc-encoding is "${String(encoding)}". Send gzip, deflate or identity.`,
      )
    }
    const { remoteAddress = '', remotePort = 0 } = stream.session?.socket ?? {}
    const gone = new AbortController()
    stream.once('close', () => gone.abort())
    const arriving = { pieces: piecesOfStream(stream), client: remoteAddress }
    try {
      // Checked before the body is read, so that a rejection costs little.
      if (signal !== 'metrics') whole.writer.check({ signal, encoding: 'protobuf' }, 0)
      return await bodies.receive(
        arriving,
        async (sent, holding) => {
          if (!sent.ok) return unread(sent)
          const message = unaryMessage(sent.body, by.compression, bodies.maxBytes)
          if (!message.ok) return message
          const read: BodyResult = message.by ? await bodies.unpack(message.body, message.by, holding) : message
          if (!read.ok) return unread(read)
          const sender = { peer: `${remoteAddress}:${remotePort}`, gone: gone.signal }
          const taken = await takeRequest(whole, { signal, encoding: 'protobuf', body: read.body }, sender)
          if (taken.ok) return { ok: true, message: encodeResponse('protobuf', signal, taken.partial) }
          return refuse(taken.isTooLarge ? GRPC_CODE.resourceExhausted : GRPC_CODE.invalidArgument, taken.message)
        },
        bodies.maxBytes + HEAD_BYTES,
      )
    } catch (error) {
      return failed(error, requestId)
    }
  }
  const taking =
    (signal: Signal): TenantHandler =>
    async (principal, ...call) => {
      try {
        const whole = (await guarding?.intakeOf(principal)) ?? own
        const answer = await take(signal, whole, ...call)
        if (signal === 'traces') whole.meter.answer('grpc', answer.ok ? GRPC_CODE.ok : answer.code)
        return answer
      } catch (error) {
        const [, , requestId] = call
        return failed(error, requestId)
      }
    }
  const handlers = SIGNALS.map((signal) => [pathOf(SERVICES[signal]), taking(signal)] as const)
  const served = handlers.map(([path, handler]) => [path, guarded(guarding?.gate, handler)] as const)
  return listenUnary(new Map(served), { ...address, option: '--grpc-port' })
}

const failed = (error: unknown, requestId: string): UnaryAnswer => {
  const isFinal = !(error instanceof PlanspanError) || error.code === 'access_denied'
  return isFinal ? { ok: false, ...statusOf(error, requestId) } : tryAgain(error)
}

/** Calls a handler for admitted calls; for all calls without a gate. */
const guarded =
  (gate: Gate | undefined, handler: TenantHandler): UnaryHandler =>
  async (stream, headers, requestId) => {
    if (!gate) return handler(undefined, stream, headers, requestId)
    const from = stream.session?.socket.remoteAddress ?? ''
    const admitted = admitCall(gate, { authorization: headers.authorization, from }, GRPC_SCOPES.otlp)
    if ('code' in admitted) {
      const { code, details, isPassing } = admitted
      return isPassing ? later(code, details, 1) : refuse(code, details)
    }
    try {
      return await handler(admitted.principal, stream, headers, requestId)
    } finally {
      admitted.release()
    }
  }

const SERVICES = {
  traces: 'trace.v1.TraceService',
  logs: 'logs.v1.LogsService',
  metrics: 'metrics.v1.MetricsService',
} as const satisfies Record<Signal, string>

const pathOf = (service: string): string => `/opentelemetry.proto.collector.${service}/Export`

const COMPRESSIONS: ReadonlyMap<string, { readonly compression: Compression | undefined }> = new Map([
  ['identity', { compression: undefined }],
  ['gzip', { compression: 'gzip' }],
  ['deflate', { compression: 'deflate' }],
])

const UNREAD_CODE = {
  too_large: GRPC_CODE.resourceExhausted,
  too_slow: GRPC_CODE.deadlineExceeded,
  broken_off: GRPC_CODE.internal,
  invalid: GRPC_CODE.internal,
  unknown_encoding: GRPC_CODE.unimplemented,
} as const satisfies Record<Unread, number>

const unread = ({ reason, message }: Extract<BodyResult, { ok: false }>): UnaryAnswer =>
  refuse(UNREAD_CODE[reason], message)

const refuse = (code: number, details: string): UnaryAnswer => ({ ok: false, code, details })

const tryAgain = ({ code, message }: PlanspanError): UnaryAnswer =>
  later(GRPC_CODE.unavailable, message, retrySeconds(code))

const later = (code: number, details: string, seconds: number): UnaryAnswer => ({
  ok: false,
  code,
  details,
  status: encodeRetryStatus(code, details, seconds),
})
