import process from 'node:process'

/** The environment variables that commands read. */
export interface Environment {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; undefined when unset or empty, which the specification treats alike. */
  readonly endpoint: string | undefined
  /** NO_COLOR is set to anything (https://no-color.org). */
  readonly noColor: boolean
}

/** Reads the environment as it is now. */
export const readEnvironment = (): Environment => ({
  endpoint: process.env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() || undefined,
  noColor: Boolean(process.env['NO_COLOR']),
})
