import type * as Grpc from '@grpc/grpc-js'

import type { Admission, Gate, Refused, Scope } from '../../access/index.js'
import { bearerToken } from '../guard/index.js'
import { addressOf } from '../http/index.js'
import { GRPC_CODE } from './grpc-status.js'
import type { Admit } from './listen-grpc.js'

/** The sender of a gRPC call. */
export interface Caller {
  readonly authorization: string | undefined
  /** The bare token that Jaeger passes on from the users of its page. */
  readonly passedOn?: string | undefined
  readonly from: string
}

/** A rejected gRPC call. */
export interface RefusedCall {
  readonly code: number
  readonly details: string
  /** Whether a later attempt may succeed. */
  readonly isPassing: boolean
}

const CODES: Readonly<Record<Refused, number>> = {
  missing: GRPC_CODE.unauthenticated,
  unknown: GRPC_CODE.unauthenticated,
  expired: GRPC_CODE.unauthenticated,
  scope: GRPC_CODE.permissionDenied,
  foreign: GRPC_CODE.permissionDenied,
  limit: GRPC_CODE.unavailable,
  unreadable: GRPC_CODE.unavailable,
}

/** Admits a gRPC call, or returns the reason for its rejection. */
export function admitCall(
  gate: Gate,
  { authorization, passedOn, from }: Caller,
  scope: Scope,
): Pick<Admission, 'principal' | 'release'> | RefusedCall {
  const token = authorization === undefined ? passedOn : bearerToken(authorization)
  const admitted = gate.admit({ token }, { scope, from })
  if (!('why' in admitted)) return admitted
  const { why, message } = admitted
  return { code: CODES[why], details: message, isPassing: why === 'limit' || why === 'unreadable' }
}

/** The key under which Jaeger passes on the token of a user of its page. */
const PASSED_ON = 'bearer.token'

/** Admits calls by their metadata, before a message is read, and reports each to `count`. */
export const guardCalls =
  (grpc: typeof Grpc, admit: Admit, count: (peer: string, isRefused: boolean) => void): Grpc.ServerInterceptor =>
  (_method, call) => {
    let release = (): void => {}
    return new grpc.ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            const caller = {
              authorization: firstOf(metadata, 'authorization'),
              passedOn: firstOf(metadata, PASSED_ON),
              from: addressOf(call.getPeer()),
            }
            const admitted = admit(caller, metadata)
            count(call.getPeer(), 'code' in admitted)
            if ('code' in admitted) return call.sendStatus({ code: admitted.code, details: admitted.details })
            release = () => admitted.release()
            pass(metadata)
          },
          onCancel: () => release(),
        })
      },
      sendStatus(status, next) {
        release()
        next(status)
      },
    })
  }

const firstOf = (metadata: Grpc.Metadata, key: string): string | undefined => metadata.get(key)[0]?.toString()
