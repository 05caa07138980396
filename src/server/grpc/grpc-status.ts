import type { StatusObject } from '@grpc/grpc-js'

import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import { reportMistake } from '../telemetry/index.js'

/** The gRPC status codes that this server returns. */
export const GRPC_CODE = {
  ok: 0,
  cancelled: 1,
  invalidArgument: 3,
  deadlineExceeded: 4,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  unauthenticated: 16,
} as const

const STATUS_OF: Partial<Record<PlanspanErrorCode, number>> = {
  usage: GRPC_CODE.invalidArgument,
  access_denied: GRPC_CODE.permissionDenied,
  schema_mismatch: GRPC_CODE.failedPrecondition,
  store_unreachable: GRPC_CODE.unavailable,
  clickhouse_failed: GRPC_CODE.unavailable,
  cold_data_missing: GRPC_CODE.unavailable,
  disk_full: GRPC_CODE.unavailable,
  data_directory_unwritable: GRPC_CODE.unavailable,
  port_in_use: GRPC_CODE.unavailable,
}

/** Returns the gRPC status of an error. */
export function statusOf(error: unknown, requestId?: string): Pick<StatusObject, 'code' | 'details'> {
  if (error instanceof PlanspanError) {
    return { code: STATUS_OF[error.code] ?? GRPC_CODE.internal, details: error.message }
  }
  const said = reportMistake(error, requestId)
  return { code: GRPC_CODE.internal, details: requestId ? `${said} The request’s id is ${requestId}.` : said }
}
