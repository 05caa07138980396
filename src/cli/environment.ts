import process from 'node:process'

/** The environment variables that commands read. */
export interface Environment {
  /** OTEL_EXPORTER_OTLP_ENDPOINT; undefined if unset or empty, which mean the same in the specification. */
  readonly endpoint: string | undefined
  /** Whether NO_COLOR is set, to any value (https://no-color.org). */
  readonly noColor: boolean
  /** CLICKHOUSE_PASSWORD, which ClickHouse's own client reads, too; undefined if unset or empty. */
  readonly clickhousePassword: string | undefined
}

/** Reads the environment as it is now. */
export const readEnvironment = (): Environment => ({
  endpoint: process.env['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() || undefined,
  noColor: Boolean(process.env['NO_COLOR']),
  clickhousePassword: process.env['CLICKHOUSE_PASSWORD'] || undefined,
})
