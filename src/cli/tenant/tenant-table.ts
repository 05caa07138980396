import type { PlanspanDatabase } from '../../server/index.js'
import { styled } from '../output/terminal.js'
import { alignColumns, formatBytes } from '../output/text-layout.js'

const HEADING = ['NAME', 'ROWS', 'DISK', 'LAST SPAN', 'SCHEMA']

/** Formats tenants for people: one line each below a heading. */
export function tenantTable(tenants: readonly PlanspanDatabase[]): string {
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
