import type { Admission, Gate, Refused, Scope } from '../../access/index.js'
import { bearerToken } from '../guard/index.js'
import { GRPC_CODE } from './grpc-status.js'

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
