import { querySql, readRows, type QueryTarget } from './query.js'
import { tracesOfKey, type TraceKeyKind } from './trace-key.js'

export interface SelectTraceOptions {
  /**
   * What the id is the id of.
   * @default 'plan'
   */
  kind?: TraceKeyKind
  /** Only imports of this source; '' is the source of those that named none. */
  source?: string
  /** Only this trace. */
  trace?: string
  /** The dialect whose record answers first; `plan-act` also stands for `plan-act:sse` and its like. */
  dialect?: string
}

export interface SelectedTrace {
  readonly traceId: string
  /** A trace that an instrumented agent sent; the others are imported records. */
  readonly live: boolean
  /** The dialect, source and key of an imported record; '' on a live trace. */
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
}

/** Live plans have records in this dialect, so that asking for it prefers no import to them. */
export const LIVE_DIALECT = 'plan-execution'

interface TraceRow extends Omit<SelectedTrace, 'live'> {
  rootPlanId?: string
}

/** The trace that answers for an id; undefined when none has it. */
export async function selectTrace(
  target: QueryTarget,
  id: string,
  options: SelectTraceOptions = {},
): Promise<SelectedTrace | undefined> {
  const only = await onlyTrace(target, id, options)
  const row = only ?? (await bestTrace(target, id, options))
  if (!row || !matches(row, options)) return undefined
  const { traceId, dialect, source, recordKey } = row
  return { traceId, live: dialect === '', dialect, source, recordKey }
}

/**
 * Most plans have one trace, which needs no choice; a sub-plan's row says nothing about the record, its root's does.
 */
async function onlyTrace(
  target: QueryTarget,
  id: string,
  { kind = 'plan' }: SelectTraceOptions,
): Promise<TraceRow | undefined> {
  if (kind !== 'plan') return undefined
  const rows = await readRows<TraceRow>(target, querySql('plan_traces', { database: target.database }), { id })
  const [row] = rows
  const isRoot = row && (row.dialect !== '' || row.rootPlanId === '' || row.rootPlanId === id)
  return rows.length === 1 && isRoot ? row : undefined
}

async function bestTrace(
  target: QueryTarget,
  id: string,
  { kind = 'plan', source, trace, dialect = '' }: SelectTraceOptions,
): Promise<TraceRow | undefined> {
  const { database } = target
  const found = `SELECT TraceId FROM (${tracesOfKey(target)})`
  const traces = querySql('traces', { database, where: `TraceId GLOBAL IN (${found})` })
  const conditions = [
    trace === undefined ? undefined : 'TraceId = {trace:String}',
    source === undefined ? undefined : `Dialect != '' AND Source = {source:String}`,
  ].filter((condition) => condition !== undefined)
  const query = querySql('select_trace', { traces, where: conditions.join(' AND ') || 'true' })
  const [row] = await readRows<TraceRow>(target, query, {
    key: id,
    kind,
    trace,
    source,
    dialect,
    liveDialect: LIVE_DIALECT,
  })
  return row
}

const matches = (row: TraceRow, { source, trace }: SelectTraceOptions): boolean =>
  (trace === undefined || row.traceId === trace) &&
  (source === undefined || (row.dialect !== '' && row.source === source))
