import type { Admission, Gate, Refused, Scope } from '../../access/index.js'
import { bearerToken } from '../guard/index.js'
import { GRPC_CODE } from './status.js'

/** What a gRPC call says of its sender. */
export interface Caller {
  readonly authorization: string | undefined
  /** What Jaeger passes on of those who look at its page: a token without anything around it. */
  readonly passedOn?: string | undefined
  readonly from: string
}

/** A gRPC call that is not let in. */
export interface RefusedCall {
  readonly code: number
  readonly details: string
  /** Whether it may be let in later. */
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

/** Lets a gRPC call in, or says why not. */
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
