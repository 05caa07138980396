import { backfill } from '../backfill.js'
import { layOut, materializedView } from '../layout.js'
import { readMigrations } from '../migrations.js'
import type { QueryTarget } from '../query.js'
import { fillSql } from '../sql-file.js'
import { findTables, isMerging } from '../tables.js'
import { insertsUnderWay } from './inserts-under-way.js'
import { readTables } from './span-tables.js'
import { execute } from './execute.js'

const WINDOWS = 'otel_traces_trace_id_ts'
const BESIDE = `${WINDOWS}_reordered`
const VIEW = `${WINDOWS}_mv`

/**
 * Makes the lookup of traces' times complete, as planspan's own: with the minutes of every span, which the views of a
 * reordered table ask for. A collector's view is taught to tell the minutes; its table, which merges no rows, gives way
 * to planspan's. Can be broken off and repeated.
 */
export async function completeTraceWindows(target: QueryTarget): Promise<void> {
  const { client, database } = target
  await tellMinutes(target)
  await insertsUnderWay(target)
  if ((await findTables(client, database, [WINDOWS])).some(isMerging)) {
    if ((await readTables(target, BESIDE)).size === 0) await backfill(client, { database }, viewTo(WINDOWS))
  } else {
    await execute(target, `DROP TABLE IF EXISTS ${database}.${BESIDE} SYNC`)
    await makeTable(target)
    await backfill(client, { database }, viewTo(BESIDE))
    await execute(target, `EXCHANGE TABLES ${database}.${WINDOWS} AND ${database}.${BESIDE}`)
  }
  await takeOver(target)
}

async function tellMinutes(target: QueryTarget): Promise<void> {
  const { database } = target
  const view = `${database}.${VIEW}`
  const { select } = materializedView(viewTo(WINDOWS)) ?? { select: '' }
  await execute(target, fillSql(viewTo(WINDOWS), { database, spans: `${database}.otel_traces` }))
  await execute(
    target,
    `ALTER TABLE ${view} MODIFY QUERY ${fillSql(select, { database, spans: `${database}.otel_traces` })}`,
  )
}

async function makeTable(target: QueryTarget): Promise<void> {
  const { database } = target
  const table = STATEMENTS.find((sql) => sql.includes('CREATE TABLE')) ?? ''
  await execute(target, fillSql(table.replace(`.${WINDOWS} (`, `.${BESIDE} (`), { database }))
  const ttl = (await readTables(target, WINDOWS)).get(WINDOWS)?.ttl ?? ''
  if (ttl !== '') await execute(target, `ALTER TABLE ${database}.${BESIDE} MODIFY TTL ${ttl}`)
}

/** Takes over what came while the new table was filled, and drops the old one. */
async function takeOver(target: QueryTarget): Promise<void> {
  const { database } = target
  if ((await readTables(target, BESIDE)).size === 0) return
  await insertsUnderWay(target)
  await execute(
    target,
    `INSERT INTO ${database}.${WINDOWS} (TraceId, Start, End, Minutes)
    SELECT TraceId, Start, End, Minutes FROM ${database}.${BESIDE} WHERE notEmpty(Minutes)`,
  )
  await execute(target, `DROP TABLE ${database}.${BESIDE} SYNC`)
}

const STATEMENTS = layOut(
  readMigrations().filter(({ id }) => id === '0002_trace_id_ts'),
  { database: '${database}' },
)

/** The statement of planspan's view, into a table. */
const viewTo = (table: string): string =>
  (STATEMENTS.find((sql) => materializedView(sql)) ?? '').replace(`.${WINDOWS} AS\n`, `.${table} AS\n`)
