import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { isDenied, RIGHTS_GUIDE } from '../client/store-error.js'
import { ownTable, type Layout } from '../schema/layout.js'
import { VERSIONS_TABLE } from '../schema/schema-version.js'
import { readAgeing, kindOfTtl, sameTtl, type AgeingTable, type TtlKind } from './ageing-table.js'
import type { Ageing } from './ages.js'
import { useStoragePolicy } from './cold-volume.js'

/** Lookup rows are kept a week longer, so that no lookup row is dropped before its spans. */
const LOOKUP_GRACE_DAYS = 7

/**
 * The time from which the rows of each table age. `plan_keys` is first: only planspan has this table, so a TTL on it
 * shows that planspan set the retention of the others. Without a requested retention, the TTLs of a collector stay.
 */
const EXPIRY = {
  plan_keys: { from: 'toDateTime(End)', graceDays: LOOKUP_GRACE_DAYS, moves: false },
  otel_traces: { from: 'toDateTime(Timestamp)', graceDays: 0, moves: true },
  otel_traces_trace_id_ts: { from: 'toDateTime(End)', graceDays: LOOKUP_GRACE_DAYS, moves: false },
  otel_logs: { from: 'toDateTime(Timestamp)', graceDays: 0, moves: false },
  service_operations: { from: 'toDateTime(End)', graceDays: LOOKUP_GRACE_DAYS, moves: false },
  plan_rows: { from: 'toDateTime(LastSeen)', graceDays: 0, moves: false },
  span_rows: { from: 'toDateTime(Timestamp)', graceDays: 0, moves: false },
  step_rows: { from: 'toDateTime(Timestamp)', graceDays: 0, moves: false },
  review_rows: { from: 'toDateTime(Timestamp)', graceDays: 0, moves: false },
  link_rows: { from: 'toDateTime(Timestamp)', graceDays: LOOKUP_GRACE_DAYS, moves: false },
  index_failures: { from: 'FailedAt', graceDays: 0, moves: false },
} as const
type ExpiryTable = keyof typeof EXPIRY
const TABLES = Object.keys(EXPIRY) as ExpiryTable[]

/**
 * The comment on `planspan_migrations` that marks the moves of spans as set by planspan. Without it, the moves that an
 * owner has set stay.
 */
const MOVES_ARE_OURS = 'planspan moves the spans of otel_traces to a cold volume'

/**
 * Sets, changes or removes the TTL of every table, with ALTERs that rewrite no data; up-to-date tables are left alone.
 */
export async function applyRetention(client: ClickHouseClient, layout: Layout, asked: Ageing): Promise<void> {
  const { database } = layout
  const { retentionDays, cold } = asked
  const own = (name: ExpiryTable) => ownTable(layout, name)
  const tables = await readAgeing(client, database, [...TABLES.map(own), VERSIONS_TABLE])
  const ours = {
    delete: (tables.get(own('plan_keys'))?.ttl.length ?? 0) > 0,
    move: tables.get(VERSIONS_TABLE)?.comment === MOVES_ARE_OURS,
  }
  const changes = TABLES.flatMap((name) => {
    const table = tables.get(own(name))
    const wanted = wantedTtl(name, table?.ttl ?? [], asked, ours)
    const isAsked = retentionDays !== undefined || (EXPIRY[name].moves && cold !== undefined)
    if (!table || (sameTtl(table.ttl, wanted) && (table.recalculates || !isAsked))) return []
    return [{ name: own(name), moves: EXPIRY[name].moves, table, wanted, isAsked }]
  })
  const moving = tables.get(own('otel_traces'))
  if (cold && moving && (moving.policy !== cold.policy || changes.some(({ moves }) => moves))) {
    await useStoragePolicy(client, `${database}.${own('otel_traces')}`, cold, moving.policy)
  }
  if (cold && !ours.move) await comment(client, database, MOVES_ARE_OURS)
  // The TTL that marks the others as planspan's is set first and removed last.
  for (const change of retentionDays === undefined ? changes.toReversed() : changes) {
    await changeTtl(client, database, change)
  }
  if (!cold && ours.move) await comment(client, database, '')
}

/** Throws `usage` if a server of a cluster does not drop its spans after so many days. */
export async function checkRetention(client: ClickHouseClient, database: string, retentionDays: number): Promise<void> {
  const name = 'otel_traces_local'
  const { ttl = [] } = (await readAgeing(client, database, [name])).get(name) ?? {}
  if (ttl.includes(expiryOf('otel_traces', retentionDays))) return
  throw new PlanspanError(
    'usage',
    `--retention ${String(retentionDays)} differs from the retention of ${database}.${name}, which \`serve\` does not change. Run ` +
      `\`planspan schema --cluster NAME --apply --retention ${String(retentionDays)} --database ${database} --clickhouse URL\`, ` +
      'or give the same --retention.',
  )
}

const expiryOf = (name: ExpiryTable, days: number): string =>
  `${EXPIRY[name].from} + toIntervalDay(${String(days + EXPIRY[name].graceDays)})`

/** Returns the requested TTL, with the parts of the current TTL that planspan did not set. */
function wantedTtl(
  name: ExpiryTable,
  current: readonly string[],
  { retentionDays, cold }: Ageing,
  ours: { readonly delete: boolean; readonly move: boolean },
): string[] {
  const { from, moves } = EXPIRY[name]
  const kept = (kind: TtlKind) => current.filter((part) => kindOfTtl(part) === kind)
  const deletes = ours.delete ? [] : kept('delete')
  const movesKept = moves && ours.move ? [] : kept('move')
  return [
    ...(retentionDays === undefined ? deletes : [expiryOf(name, retentionDays)]),
    ...(moves && cold ? [`${from} + toIntervalDay(${String(cold.afterDays)}) TO VOLUME '${cold.volume}'`] : movesKept),
    ...kept('other'),
  ]
}

interface TtlChange {
  readonly name: string
  readonly table: AgeingTable
  readonly wanted: readonly string[]
  readonly isAsked: boolean
}

async function changeTtl(client: ClickHouseClient, database: string, change: TtlChange): Promise<void> {
  const { name, table, wanted, isAsked } = change
  const target = `${database}.${name}`
  try {
    if (wanted.length === 0) await client.command({ query: `ALTER TABLE ${target} REMOVE TTL` })
    else await setTtl(client, target, table, wanted)
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error
    const forbidden = isDenied(error)
    // A read-only server leaves the retention to the one that writes.
    if (forbidden && !isAsked) return
    // Another process may have been faster: removing a TTL that is already gone is an error in ClickHouse.
    if (sameTtl((await readAgeing(client, database, [name])).get(name)?.ttl ?? [], wanted)) return
    throw forbidden ? mayNotChange(target, error) : error
  }
}

const mayNotChange = (table: string, cause: ClickHouseError): PlanspanError =>
  new PlanspanError(
    'access_denied',
    `The TTL of ${table} differs, and this user may not change it: ${cause.message.split('\n', 1)[0] ?? ''} ` +
      `Give the same --retention and --cold-after as the server that writes, or use the owner. ${RIGHTS_GUIDE}.`,
    { cause },
  )

/**
 * Sets a TTL and recalculates it for each part. A part would otherwise keep the TTL with which it was written, and its
 * spans would be dropped too early or never. TTL merges stop meanwhile.
 */
async function setTtl(
  client: ClickHouseClient,
  target: string,
  table: AgeingTable,
  wanted: readonly string[],
): Promise<void> {
  const command = (query: string) =>
    client.command({ query, clickhouse_settings: { materialize_ttl_after_modify: 1, mutations_sync: '1' } })
  if (!table.recalculates) await command(`ALTER TABLE ${target} MODIFY SETTING materialize_ttl_recalculate_only = 1`)
  const alter = `ALTER TABLE ${target} ${sameTtl(table.ttl, wanted) ? 'MATERIALIZE TTL' : `MODIFY TTL ${wanted.join(', ')}`}`
  if (table.isEmpty) {
    await command(alter)
    return
  }
  await command(`SYSTEM STOP TTL MERGES ${target}`)
  try {
    await command(alter)
  } finally {
    await command(`SYSTEM START TTL MERGES ${target}`)
  }
}

async function comment(client: ClickHouseClient, database: string, text: string): Promise<void> {
  try {
    await client.command({ query: `ALTER TABLE ${database}.${VERSIONS_TABLE} MODIFY COMMENT '${text}'` })
  } catch (error) {
    if (!(text === '' && isDenied(error))) throw error
  }
}
