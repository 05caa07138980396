import process from 'node:process'

import { otlpHeaders } from '../otel/index.js'

/** The environment variables that commands read. */
export interface Environment {
  /** PLANSPAN_ENDPOINT and PLANSPAN_TOKEN; like all variables here, undefined if unset or empty. */
  readonly endpoint: string | undefined
  readonly token: string | undefined
  /** PLANSPAN_CONFIG, a file, and XDG_CONFIG_HOME, the directory of the default file. */
  readonly configFile: string | undefined
  readonly configHome: string | undefined
  /** OTEL_EXPORTER_OTLP_ENDPOINT and OTEL_EXPORTER_OTLP_HEADERS. */
  readonly otlpEndpoint: string | undefined
  readonly otlpHeaders: Readonly<Record<string, string>>
  /** Whether NO_COLOR is set, to any value (https://no-color.org). */
  readonly noColor: boolean
  /** CLICKHOUSE_PASSWORD, which ClickHouse's own client also reads. */
  readonly clickhousePassword: string | undefined
  /** XDG_STATE_HOME, the directory for programs' state. */
  readonly stateDirectory: string | undefined
}

/** Reads the current environment. */
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
