import { PlanspanError, type PlanspanErrorCode } from '../error.js'

/** The exit codes of every command. */
export const EXIT = {
  done: 0,
  /** Differences were found, or nothing was found. */
  different: 1,
  /** Wrong usage or bad input. */
  usage: 2,
  /** The store or the receiver cannot be reached or started. */
  unreachable: 3,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

const CODES: Partial<Record<PlanspanErrorCode, ExitCode>> = {
  usage: EXIT.usage,
  invalid_record: EXIT.usage,
  unknown_dialect: EXIT.usage,
  invalid_otlp: EXIT.usage,
  receiver_refused: EXIT.usage,
  tokens_unreadable: EXIT.usage,
  certificate_unusable: EXIT.usage,
  not_found: EXIT.different,
  conflict: EXIT.usage,
}

/**
 * The exit code for an error. An error that is not planspan's own is a bug, and exits with 1 as any Node program does.
 */
export const exitCodeOf = (error: unknown): ExitCode =>
  error instanceof PlanspanError ? (CODES[error.code] ?? EXIT.unreachable) : EXIT.different
