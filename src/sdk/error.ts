/** The machine-readable kind of a failure. */
export type PlanspanErrorCode =
  | 'usage'
  | 'invalid_record'
  | 'unknown_dialect'
  | 'invalid_otlp'
  | 'not_found'
  | 'conflict'
  | 'missing_dependency'
  | 'unsupported_platform'
  | 'port_in_use'
  | 'data_directory_in_use'
  | 'data_directory_unwritable'
  | 'cold_data_missing'
  | 'disk_full'
  | 'clickhouse_failed'
  | 'store_unreachable'
  | 'store_busy'
  | 'access_denied'
  | 'unauthenticated'
  | 'too_many_requests'
  | 'tokens_unreadable'
  | 'certificate_unusable'
  | 'record_too_large'
  | 'request_too_large'
  | 'schema_mismatch'
  | 'receiver_unreachable'
  | 'receiver_refused'

/** The error class of planspan: the message says what happened, with what, and what to do. */
export class PlanspanError extends Error {
  override readonly name = 'PlanspanError'
  readonly code: PlanspanErrorCode

  constructor(code: PlanspanErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
