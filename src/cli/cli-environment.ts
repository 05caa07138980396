import process from 'node:process'

import { otlpHeaders } from '../otel/index.js'

/** The environment variables that commands read. */
export interface Environment {
  /** PLANSPAN_ENDPOINT and PLANSPAN_TOKEN; undefined if unset or empty, as all here. */
  readonly endpoint: string | undefined
  readonly token: string | undefined
  /** PLANSPAN_CONFIG, a file, and XDG_CONFIG_HOME, the directory of the usual one. */
  readonly configFile: string | undefined
  readonly configHome: string | undefined
  /** OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS. */
  readonly otlpEndpoint: string | undefined
  readonly otlpHeaders: Readonly<Record<string, string>>
  /** Whether NO_COLOR is set, to any value (https://no-color.org). */
  readonly noColor: boolean
  /** CLICKHOUSE_PASSWORD, which ClickHouse's own client reads, too. */
  readonly clickhousePassword: string | undefined
  /** XDG_STATE_HOME, where programs keep what they have to remember; undefined if unset or empty. */
  readonly stateDirectory: string | undefined
}

/** Reads the environment as it is now. */
export const readEnvironment = (): Environment => ({
  endpoint: set('PLANSPAN_ENDPOINT'),
  token: set('PLANSPAN_TOKEN'),
  configFile: set('PLANSPAN_CONFIG'),
  configHome: set('XDG_CONFIG_HOME'),
  otlpEndpoint: set('OTEL_EXPORTER_OTLP_ENDPOINT'),
  otlpHeaders: otlpHeaders(process.env['OTEL_EXPORTER_OTLP_HEADERS']),
  noColor: Boolean(process.env['NO_COLOR']),
  clickhousePassword: process.env['CLICKHOUSE_PASSWORD'] || undefined,
  stateDirectory: process.env['XDG_STATE_HOME'] || undefined,
})

const set = (name: string): string | undefined => process.env[name]?.trim() || undefined
