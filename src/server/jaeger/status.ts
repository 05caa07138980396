import type { StatusObject } from '@grpc/grpc-js'

import { PlanspanError, type PlanspanErrorCode } from '../../error.js'

/** The gRPC status codes that this server returns. */
const CODE = { invalidArgument: 3, failedPrecondition: 9, internal: 13, unavailable: 14 } as const

const STATUS_OF: Partial<Record<PlanspanErrorCode, number>> = {
  usage: CODE.invalidArgument,
  schema_mismatch: CODE.failedPrecondition,
  store_unreachable: CODE.unavailable,
  clickhouse_failed: CODE.unavailable,
}

/** The gRPC status of an error. */
export function statusOf(error: unknown): Pick<StatusObject, 'code' | 'details'> {
  if (error instanceof PlanspanError) {
    return { code: STATUS_OF[error.code] ?? CODE.internal, details: error.message }
  }
  const reason = error instanceof Error ? error : new Error(String(error))
  process.emitWarning(reason)
  return { code: CODE.internal, details: `planspan failed: ${reason.message}. Please report this.` }
}
