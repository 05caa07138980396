import type { handleUnaryCall, sendUnaryData } from '@grpc/grpc-js'

import { PlanspanError } from '../error.js'
import { encodeResponse, encodeRetryStatus } from '../otlp/index.js'
import { BodyReader } from './body-reader.js'
import { listenGrpc, type GrpcService } from './grpc/listen-grpc.js'
import { rawMethod } from './grpc/raw-method.js'
import { GRPC_CODE, statusOf } from './grpc/status.js'
import type { Listener } from './listen.js'
import { retrySeconds } from './problem.js'
import { takeRequest, type SpanIntake } from './span-intake.js'
import { UNTAKEN_SIGNALS, UntakenSignals } from './untaken-signals.js'

type Failure = Parameters<sendUnaryData<Uint8Array>>[0]
type ExportHandler = handleUnaryCall<Buffer, Uint8Array>

/**
 * Serves OTLP/gRPC as specified (https://opentelemetry.io/docs/specs/otlp/#otlpgrpc). Answers once the spans are stored.
 * Throws what `listenGrpc` throws.
 */
export function listenOtlp(intake: SpanIntake, address: { host: string; port: number }): Promise<Listener> {
  const { bodies = new BodyReader(), untaken = new UntakenSignals() } = intake
  return listenGrpc({
    ...address,
    option: '--grpc-port',
    maxRequestBytes: bodies.maxBytes,
    services: ({ Metadata }) => {
      const takeSpans: ExportHandler = async (call, callback) => {
        const { request } = call
        try {
          const taken = await bodies.holding((hold) => {
            // What grpc-js still receives does not count: it hands over whole messages.
            hold(request.length)
            return takeRequest(intake, 'protobuf', request, call.getPeer())
          })
          if (taken.ok) callback(null, encodeResponse('protobuf', taken.partial))
          else callback({ code: GRPC_CODE.invalidArgument, details: taken.message })
        } catch (error) {
          const isFinal = !(error instanceof PlanspanError) || error.code === 'access_denied'
          callback(isFinal ? statusOf(error) : tryAgain(error))
        }
      }
      const tryAgain = ({ code, message }: PlanspanError): Failure => {
        const metadata = new Metadata()
        const status = encodeRetryStatus(GRPC_CODE.unavailable, message, retrySeconds(code))
        metadata.set('grpc-status-details-bin', Buffer.from(status))
        return { code: GRPC_CODE.unavailable, details: message, metadata }
      }
      return [
        exportService('trace.v1.TraceService', takeSpans),
        ...UNTAKEN_SIGNALS.map((signal) =>
          exportService(SERVICES[signal], (_, callback) => {
            callback({ code: GRPC_CODE.unimplemented, details: untaken.refuse(signal) })
          }),
        ),
      ]
    },
  })
}

const SERVICES = { logs: 'logs.v1.LogsService', metrics: 'metrics.v1.MetricsService' } as const

const exportService = (name: string, handler: ExportHandler): GrpcService => ({
  definition: { Export: rawMethod(`/opentelemetry.proto.collector.${name}/Export`, false) },
  handlers: { Export: handler },
})
