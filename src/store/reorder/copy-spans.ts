import { PlanspanError } from '../../error.js'
import { storeError } from '../client.js'
import { SPAN_COLUMNS } from '../columns.js'
import { readRows, type QueryTarget } from '../query.js'
import { fillSql, readSql } from '../sql-file.js'
import type { Step } from './steps.js'

/** Two span tables by name: what the second lacks of the first is copied. */
export interface Copy {
  readonly from: string
  readonly to: string
}

/** The columns of the span table that are stored, for a SELECT. */
export const COPIED_COLUMNS = Object.keys(SPAN_COLUMNS)
  .map((name) => `\`${name}\``)
  .join(', ')

/** What the rows of a span share: those with the same replace one another. */
const KEY = 'sipHash128(TraceId, Timestamp, Span, ServiceName)'

/** How often a step is copied before it is given up: rows may come while it is copied. */
const ATTEMPTS = 5

/** Copies what the second table lacks of a step, until no span is missing. */
export async function copyStep(target: QueryTarget, copy: Copy, step: Step): Promise<void> {
  if (!(await hasRows(target, copy.to, step))) await insert(target, copy, step.where)
  for (let attempt = 1; ; attempt += 1) {
    const missing = await countMissing(target, copy, step)
    if (missing === 0) return
    if (attempt > ATTEMPTS) throw incomplete(target, copy, missing)
    await insert(target, copy, `${step.where} AND ${KEY} IN (${missingSql(target, copy, step)})`)
  }
}

async function hasRows(target: QueryTarget, table: string, { where }: Step): Promise<boolean> {
  return (await readRows(target, `SELECT 1 AS one FROM ${target.database}.${table} WHERE ${where} LIMIT 1`)).length > 0
}

async function countMissing(target: QueryTarget, copy: Copy, step: Step): Promise<number> {
  const query = `SELECT toUInt32(count()) AS missing FROM (${missingSql(target, copy, step)})`
  const [row] = await readRows<{ missing: number }>(target, query)
  return row?.missing ?? 0
}

const missingSql = ({ database }: QueryTarget, copy: Copy, { where }: Step): string =>
  fillSql(readSql('reorder/missing.sql'), { ...copy, database, key: KEY, step: where })

async function insert(target: QueryTarget, { from, to }: Copy, where: string): Promise<void> {
  const { client, database } = target
  try {
    await client.command({
      query: `INSERT INTO ${database}.${to} (${COPIED_COLUMNS}) SELECT ${COPIED_COLUMNS} FROM ${database}.${from} WHERE ${where}`,
      clickhouse_settings: { insert_deduplicate: 0, max_partitions_per_insert_block: '0' },
    })
  } catch (error) {
    throw storeError(error, target)
  }
}

const incomplete = ({ database }: QueryTarget, { from, to }: Copy, missing: number): PlanspanError =>
  new PlanspanError(
    'clickhouse_failed',
    `${database}.${to} still lacks ${String(missing)} spans of ${database}.${from} after they were copied. ` +
      'Both tables are kept. Look into the log of ClickHouse, and run `planspan schema --reorder` again.',
  )
