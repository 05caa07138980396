import { createTenant as create, type CreatedTenant } from '../../server/index.js'
import { note, print, styled } from '../output/terminal.js'

/** Creates a tenant, and prints the settings for its dashboards and its collector. */
export async function createTenant(
  at: { readonly dataDirectory: string; readonly clickhouse?: string },
  name: string,
  json: boolean,
): Promise<void> {
  const made = await create(at, name)
  if (json) return print(JSON.stringify({ ...made, embedded: made.embedded ?? null, grant: made.grant ?? null }))
  print(
    `The tenant ${styled('bold', name)} is created. \`planspan token create NAME --tenant ${name}\` creates a token for its senders.`,
  )
  print(`\n${styled('bold', 'For Grafana’s ClickHouse data source')}\n${indented(dataSource(made))}`)
  print(`\n${styled('bold', 'For a collector that writes to ClickHouse directly')}\n${indented(exporter(made))}`)
  if (made.embedded?.isReaderToCome) {
    note(
      `The server is running: ${made.reader}, and SQL over HTTP for this tenant, are available after its next start.`,
    )
  }
}

function dataSource({ database, reader, embedded, grant }: CreatedTenant): string[] {
  if (!embedded) {
    return [
      'Server             as for planspan',
      `User, database     ${reader}, ${database}; made by`,
      `                   CREATE USER ${reader} IDENTIFIED BY '…' SETTINGS readonly = 1`,
      `                   ${grant ?? ''}`,
    ]
  }
  const { httpPort, nativePort, credentialsFile } = embedded
  return [
    `Server             127.0.0.1, port ${String(nativePort)} (native) or ${String(httpPort)} (HTTP)`,
    `User, database     ${reader}, ${database}`,
    `Password           ${reader} in ${credentialsFile}`,
  ]
}

/** The settings that differ between tenants' exporters; the others are in collector-config/agent.yaml. */
const exporter = ({ database, embedded }: CreatedTenant): string[] => [
  `clickhouse/${database}:`,
  `  endpoint: tcp://127.0.0.1:${String(embedded?.nativePort ?? 9000)}`,
  `  database: ${database}`,
  '  traces_table_name: otel_traces',
  '  create_schema: false',
  '  async_insert: false',
]

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join('\n')
