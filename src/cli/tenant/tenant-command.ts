import { changeTokens, readTokens } from '../../access/index.js'
import { PlanspanError } from '../../error.js'
import {
  listTenants,
  createTenant as create,
  dropTenant as drop,
  type PlanspanDatabase,
  type CreatedTenant,
} from '../../server/index.js'
import { defineCommand, wrongUsage } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { print, styled, note } from '../output/terminal.js'
import { alignColumns, formatBytes, plural } from '../output/text-layout.js'
import { clickhouseUrl, checkTenantName } from '../store/store-options.js'

const ACTIONS = ['create', 'list', 'drop'] as const

/** `planspan tenant`: manages tenants, which are databases that tokens name. */
export const command = defineCommand({
  argument: { name: 'ACTION', description: 'create NAME, list, or drop NAME', isVariadic: true, values: ACTIONS },
  options: {
    data: {
      type: 'string',
      valueHint: 'DIR',
      default: './planspan-data',
      description: 'Directory of the embedded ClickHouse; a server may be running there',
    },
    clickhouse: {
      type: 'string',
      valueHint: 'URL',
      description: 'A ClickHouse server instead, with its password in CLICKHOUSE_PASSWORD or in the URL',
    },
    tokens: {
      type: 'string',
      valueHint: 'FILE',
      description: 'With drop: the token file, to revoke the tenant’s tokens',
    },
    yes: { type: 'boolean', description: 'With drop: confirm that everything the tenant has stored is deleted' },
    json: { type: 'boolean', description: 'One JSON document' },
  },
  async run({ args: [action = '', name, ...more], options }): Promise<ExitCode> {
    const { data: dataDirectory, clickhouse, tokens, yes: isSure = false, json = false } = options
    if (!isAction(action)) throw wrongUsage(`Use ${ACTIONS.join(', ')}, not ${JSON.stringify(action)}.`, 'tenant')
    if (more.length > 0 || (name === undefined) !== (action === 'list')) {
      throw wrongUsage(action === 'list' ? 'tenant list takes no name.' : `tenant ${action} takes one name.`, 'tenant')
    }
    const at = { dataDirectory, ...(clickhouse === undefined ? {} : { clickhouse: clickhouseUrl(clickhouse) }) }
    if (name === undefined) {
      const tenants = await listTenants(at)
      print(json ? JSON.stringify({ tenants }) : tenantTable(tenants))
      return EXIT.done
    }
    checkTenantName(name)
    if (action === 'create') await createTenant(at, name, json)
    else await dropTenant(at, name, { isSure, tokens, json })
    return EXIT.done
  },
})

const isAction = (text: string): text is (typeof ACTIONS)[number] => (ACTIONS as readonly string[]).includes(text)

const HEADING = ['NAME', 'ROWS', 'DISK', 'LAST SPAN', 'SCHEMA']

/** Formats tenants for people: one line each below a heading. */
function tenantTable(tenants: readonly PlanspanDatabase[]): string {
  const rows = tenants.map(({ database, rows, bytesOnDisk, lastSpan, schema }) => [
    database,
    String(rows),
    formatBytes(bytesOnDisk),
    lastSpan ?? '-',
    schema,
  ])
  const [heading = '', ...lines] = alignColumns([HEADING, ...rows])
  return [styled('bold', heading), ...lines].join('\n')
}

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

interface DropOptions {
  readonly isSure: boolean
  readonly tokens: string | undefined
  readonly json: boolean
}

/** Drops a tenant, after revoking its tokens, so that no spans are acknowledged and then lost. */
export async function dropTenant(
  at: { readonly dataDirectory: string; readonly clickhouse?: string },
  name: string,
  { isSure, tokens: path, json }: DropOptions,
): Promise<void> {
  if (!isSure) {
    throw new PlanspanError('usage', `This deletes everything that ${name} has stored. Pass --yes to confirm.`)
  }
  const revoked = path === undefined ? [] : await revokeTokens(path, name)
  await drop(at, name)
  if (json) return print(JSON.stringify({ dropped: name, revoked }))
  print(`${name} is dropped, with everything stored there.`)
  if (path === undefined) note('Tokens of this tenant are rejected from now on. --tokens FILE revokes them, too.')
  else note(`Revoked ${plural(revoked.length, 'token')} of ${path}${revoked.length ? `: ${revoked.join(', ')}` : ''}.`)
}

/** Revokes the tokens of a tenant; returns their names. */
async function revokeTokens(path: string, tenant: string): Promise<string[]> {
  const names = (await readTokens(path)).filter(({ database }) => database === tenant).map(({ name }) => name)
  if (names.length > 0) await changeTokens(path, (tokens) => tokens.filter(({ database }) => database !== tenant))
  return names
}
