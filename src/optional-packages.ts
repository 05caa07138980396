/** A part of planspan that needs packages which it does not bring along, its optional peers. */
interface OptionalPart {
  /** What it is for, as README.md says it. */
  readonly use: string
  readonly packages: readonly string[]
}

/** The parts that need more than planspan: what `planspan doctor` looks for, and what README.md says to install. */
export const OPTIONAL_PARTS = {
  register: {
    use: 'for register() in an agent without an OpenTelemetry SDK, and for `planspan demo`',
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
  prices: { use: 'for what models cost, in SQL and dashboards', packages: ['@pydantic/genai-prices'] },
  jaeger: { use: 'for Jaeger on planspan’s store, `planspan serve --jaeger-port`', packages: ['@grpc/grpc-js'] },
} as const satisfies Record<string, OptionalPart>

/** The one sentence that says how to get a part: `For register() …: npm install …`. */
export function installAdvice({ use, packages }: OptionalPart): string {
  return `${use.replace(/^f/, 'F')}: npm install ${packages.join(' ')}`
}
