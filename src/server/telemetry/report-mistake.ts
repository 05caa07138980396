import process from 'node:process'

/** Warns of an error that is a mistake of planspan's own; answers what whoever asked is told of it. */
export function reportMistake(thrown: unknown, requestId: string | undefined): string {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  process.emitWarning(Object.assign(error, { requestId }))
  return `planspan failed: ${error.message}. Please report this.`
}
