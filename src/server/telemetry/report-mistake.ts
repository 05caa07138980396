import process from 'node:process'

/** Warns about a bug in planspan, and returns the message for the client. */
export function reportMistake(thrown: unknown, requestId: string | undefined): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  process.emitWarning(Object.assign(error, { requestId }))
  return `planspan failed: ${error.message}. Please report this.`
}
