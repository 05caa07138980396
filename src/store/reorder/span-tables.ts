import { PlanspanError } from '../../error.js'
import { SPAN_COLUMNS, readColumns } from '../columns.js'
import { readRows, type QueryTarget } from '../query.js'
import { COMPUTED_COLUMNS } from '../stored-columns.js'

export const SPANS = 'otel_traces'
/** The table beside the span table: first the new one that is filled, then the old one until it is dropped. */
export const BESIDE = 'otel_traces_reordered'
/** The view by which what comes during the reorder is in both tables. */
export const FEED = 'otel_traces_reorder_mv'

export interface TableState {
  readonly name: string
  readonly engine: string
  /** '' for none. */
  readonly ttl: string
  readonly policy: string
}

/** Reads what there is of some tables. */
export async function readTables(target: QueryTarget, ...names: string[]): Promise<Map<string, TableState>> {
  const query = `SELECT name, engine, extract(engine_full, ' TTL (.+?)(?: SETTINGS |$)') AS ttl, storage_policy AS policy
    FROM system.tables WHERE database = {database:String} AND name IN {names:Array(String)}`
  const tables = await readRows<TableState>(target, query, { database: target.database, names })
  return new Map(tables.map((table) => [table.name, table]))
}

export const isReplacing = (table: TableState | undefined): boolean => table?.engine === 'ReplacingMergeTree'

/** Throws `schema_mismatch` for a span table that can't be reordered. */
export async function checkReorderable(target: QueryTarget, { engine }: TableState): Promise<void> {
  const { client, database } = target
  if (engine === 'Distributed' || !/^(?:Replacing)?MergeTree$/.test(engine)) {
    throw new PlanspanError(
      'schema_mismatch',
      `${database}.${SPANS} is a ${engine} table, and --reorder knows tables of one server alone. ` +
        'On a cluster, make a new database with `planspan schema --cluster NAME --database OTHER`, send spans there, ' +
        `and copy the old ones with INSERT INTO OTHER.${SPANS} (…) SELECT … FROM ${database}.${SPANS}.`,
    )
  }
  const known = new Set([...Object.keys(SPAN_COLUMNS), ...COMPUTED_COLUMNS.map(({ name }) => name), ...ALIASES])
  const own = (await readColumns(client, database, [SPANS])).filter(({ name }) => !known.has(name))
  if (own.length === 0) return
  throw new PlanspanError(
    'schema_mismatch',
    `${database}.${SPANS} has columns that planspan does not: ${own.map(({ name }) => name).join(', ')}. ` +
      'A reordered table would lack them: drop them before, or leave the table as it is.',
  )
}

/** The columns of newer collectors' tables that hold no data. */
const ALIASES = ['ResourceAttributeItems', 'SpanAttributeItems']
