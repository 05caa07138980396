/** Advice for requests that were rejected without a valid token. */
export const TOKEN_HINT =
  'Set PLANSPAN_TOKEN together with PLANSPAN_ENDPOINT, or put it into the configuration file; `planspan doctor` checks it.'

/** A part of planspan that needs optional peer packages. */
interface OptionalPart {
  /** The purpose of the part, in the words of docs/install.md. */
  readonly use: string
  readonly packages: readonly string[]
}

/** The parts that need optional peers: `planspan doctor` checks for them, and docs/install.md lists them. */
export const OPTIONAL_PARTS = {
  register: {
    use: 'for register() in an agent without an OpenTelemetry SDK, for `planspan demo` and `serve --trace-endpoint`',
    packages: [
      '@opentelemetry/sdk-trace',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/resources',
    ],
  },
  clickhouse: {
    use: 'for the embedded ClickHouse of `planspan serve`, `demo` and `verify` (600 MB)',
    packages: ['chdb', 'ffi-rs'],
  },
  grpc: {
    use: 'for Jaeger on planspan’s store, `planspan serve --jaeger-port`',
    packages: ['@grpc/grpc-js'],
  },
} as const satisfies Record<string, OptionalPart>

/** Returns the sentence on how to install a part: `For register() …: npm install …`. */
export function installAdvice({ use, packages }: OptionalPart): string {
  return `${use.replace(/^f/, 'F')}: npm install ${packages.join(' ')}`
}
