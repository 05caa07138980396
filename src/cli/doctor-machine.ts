import process from 'node:process'

import { planspanVersion } from '../server/version.js'
import type { Finding } from './finding.js'

/** Packages that planspan does without until something needs them. */
const OPTIONAL = [
  {
    packages: ['chdb', 'ffi-rs'],
    use: 'the embedded ClickHouse (serve without --clickhouse, demo, verify without --endpoint)',
  },
  {
    packages: [
      '@opentelemetry/sdk-trace-base',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/context-async-hooks',
      '@opentelemetry/resources',
    ],
    use: 'register() and the demo',
  },
  { packages: ['@grpc/grpc-js'], use: 'serve --jaeger-port' },
] as const

/** The versions here, and which of the optional packages are installed. */
export function checkMachine(): Finding[] {
  const { versions, platform, arch } = process
  return [
    { level: 'ok', text: `planspan ${planspanVersion()} on Node ${versions.node}, ${platform} ${arch}` },
    ...OPTIONAL.map(({ packages, use }): Finding => {
      const missing = packages.filter((name) => !isInstalled(name))
      return missing.length === 0
        ? { level: 'ok', text: `${packages.join(', ')}: installed, for ${use}` }
        : { level: 'warn', text: `${missing.join(', ')}: not installed. For ${use}: npm install ${missing.join(' ')}` }
    }),
  ]
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
