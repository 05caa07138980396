import { listTenants, type PlanspanDatabase } from '../../server/index.js'
import { clickhouseUrl } from '../store/clickhouse-options.js'
import { defineCommand, wrongUsage } from '../command.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { print, styled } from '../output/terminal.js'
import { createTenant } from './create-tenant.js'
import { dropTenant } from './drop-tenant.js'
import { checkTenantName } from './tenant-name.js'
import { alignColumns, formatBytes } from '../output/text-layout.js'

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
