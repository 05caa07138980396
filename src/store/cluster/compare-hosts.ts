import type { ClickHouseClient } from '@clickhouse/client'

import { madeBy, type Layout } from '../schema/layout.js'
import { readMigrations } from '../schema/migrations.js'
import { selectRows } from '../client/client.js'
import { readViews } from '../views/views.js'

/** The parts of a host's schema by name: `otel_traces_local.TraceId` → `String`. */
export type HostSchema = ReadonlyMap<string, string>

/** Reads what has to be equal on all hosts: engines, sorting keys, columns, and view definitions. */
export async function readHostSchema(client: ClickHouseClient, layout: Layout): Promise<HostSchema> {
  const { database } = layout
  const names = [...madeBy(readMigrations(), layout), ...readViews().map(({ name }) => name)]
  const rows = await selectRows<{ part: string; form: string }>(
    client,
    `
      SELECT name AS part, multiIf(
        engine = 'View', comment,
        engine = 'MaterializedView', as_select,
        engine = 'Distributed', engine_full,
        concat(engine, if(sorting_key = '', '', concat(' ORDER BY ', sorting_key)))
      ) AS form
      FROM system.tables WHERE database = {database:String} AND name IN {names:Array(String)}
      UNION ALL
      SELECT concat(table, '.', name), trim(concat(type, ' ', default_kind, ' ', default_expression))
      FROM system.columns WHERE database = {database:String} AND table IN {names:Array(String)}`,
    { database, names },
  )
  return new Map(rows.map(({ part, form }) => [part, form]))
}

/** Returns the differences between hosts, one per line. */
export function compareHosts(schemas: ReadonlyMap<string, HostSchema>): string[] {
  const parts = [...new Set([...schemas.values()].flatMap((schema) => [...schema.keys()]))].sort()
  return parts.flatMap((part) => {
    const hosts = new Map<string | undefined, string[]>()
    for (const [host, schema] of schemas) {
      const form = schema.get(part)
      hosts.set(form, [...(hosts.get(form) ?? []), host])
    }
    // A missing table is reported once, not for each of its columns.
    const [table = ''] = part.split('.')
    if (table !== part) for (const [host, schema] of schemas) if (!schema.has(table)) dropHost(hosts, host)
    if (hosts.size < 2) return []
    const forms = [...hosts].map(
      ([form, of]) => `${of.join(', ')} ${form === undefined ? 'lacks it' : `has ${short(form)}`}`,
    )
    return [`${part}: ${forms.join('; ')}`]
  })
}

function dropHost(hosts: Map<string | undefined, string[]>, host: string): void {
  const lacking = hosts.get(undefined)?.filter((other) => other !== host) ?? []
  if (lacking.length > 0) hosts.set(undefined, lacking)
  else hosts.delete(undefined)
}

const SHOWN = { begin: 60, end: 100 }

/** Shortens a form to its beginning and its end, since two long forms may begin alike. */
function short(form: string): string {
  const line = form.replaceAll(/\s+/g, ' ')
  if (line.length <= SHOWN.begin + SHOWN.end) return line || 'nothing'
  return `${line.slice(0, SHOWN.begin)} … ${line.slice(-SHOWN.end)}`
}
