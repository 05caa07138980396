import type * as Grpc from '@grpc/grpc-js'
import { addressOf } from '../http/index.js'
import { type BegunRequest, REQUEST_ID, requestIdFrom, type RequestWatch } from '../telemetry/index.js'

import { GRPC_CODE } from './grpc-status.js'

/** A call in progress. */
export interface BegunCall {
  readonly id: string
  /** Runs the handler in the context of the request, so that its work is traced below it. */
  readonly run: BegunRequest['run']
}

/** Calls by the metadata object that their handlers receive, because its contents could be forged. */
export type BegunCalls = WeakMap<Grpc.Metadata, BegunCall>

/** Gives each call an id, adds it to the response, and reports the end of the call. */
export const watchCalls =
  (grpc: typeof Grpc, calls: BegunCalls, requests: RequestWatch | undefined): Grpc.ServerInterceptor =>
  ({ path }, call) => {
    let id = ''
    let begun: BegunRequest | undefined
    let isHeadSent = false
    const end = (status: number, isBroken: boolean): void => {
      begun?.end({ status, isBroken })
      begun = undefined
    }
    return new grpc.ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const first = (key: string): string | undefined => metadata.get(key)[0]?.toString()
            id = requestIdFrom(first(REQUEST_ID))
            const from = addressOf(call.getPeer())
            const traceHeaders = { traceparent: first('traceparent'), tracestate: first('tracestate') }
            const one = requests?.begin({ protocol: 'grpc', id, method: 'POST', path, from, traceHeaders })
            begun = one
            calls.set(metadata, { id, run: (answer) => (one ? one.run(answer) : answer()) })
            pass(metadata)
          },
          onCancel: () => end(GRPC_CODE.cancelled, true),
        })
      },
      sendMetadata(metadata, next) {
        isHeadSent = true
        metadata.set(REQUEST_ID, id)
        next(metadata)
      },
      sendStatus(status, next) {
        const metadata = status.metadata ?? new grpc.Metadata()
        if (!isHeadSent) metadata.set(REQUEST_ID, id)
        end(status.code ?? GRPC_CODE.ok, false)
        next({ ...status, metadata })
      },
    })
  }
