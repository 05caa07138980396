import { tracesSql } from './generations.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { keyParameters, type TraceKey, tracesOfKey, type TraceKeyKind } from './trace-key.js'

export interface SelectTraceOptions {
  /** The kind of the id. @default 'plan' */
  kind?: TraceKeyKind
  /** Only imports of this source; '' selects those without one. */
  source?: string
  /** Only this trace. */
  trace?: string
  /** The preferred dialect; `plan-act` also stands for its serialisations such as `plan-act:sse`. */
  dialect?: string
}

export interface SelectedTrace {
  readonly traceId: string
  /** Whether an instrumented agent sent the trace; otherwise it is an imported record. */
  readonly live: boolean
  /** The dialect, source and key of an imported record; '' on a live trace. */
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
  /** The trace was found by its own id alone: the plan of a foreign trace, or a part of it, has that id. */
  readonly byTraceId?: true
}

/** The dialect of live plans' records: imports in it are not preferred to a live plan. */
export const LIVE_DIALECT = 'plan-execution'

interface TraceRow extends Omit<SelectedTrace, 'live' | 'byTraceId'> {
  rootPlanId?: string
}

/** Selects the trace for an id; undefined if no trace has it. */
export async function selectTrace(
  target: QueryTarget,
  id: string,
  options: SelectTraceOptions = {},
): Promise<SelectedTrace | undefined> {
  const row = await findRow(target, id, options)
  if (!row) return traceById(target, id, options)
  if (!matches(row, options)) return undefined
  const { traceId, dialect, source, recordKey } = row
  return { traceId, live: dialect === '', dialect, source, recordKey }
}

/** The id of a foreign plan is its trace's; a part's is that and the id of a span. */
const FOREIGN_ID = /^([\da-f]{32})(?:-[\da-f]{16})?$/
export const traceOfForeignId = (id: string): string | undefined => FOREIGN_ID.exec(id)?.[1]

async function traceById(
  target: QueryTarget,
  id: string,
  { kind, source, trace }: SelectTraceOptions,
): Promise<SelectedTrace | undefined> {
  const traceId = traceOfForeignId(id)
  if (traceId === undefined || source !== undefined || (trace ?? traceId) !== traceId) return undefined
  if (kind !== undefined && kind !== 'plan' && kind !== 'step') return undefined
  const isStored = await hasTrace(target, traceId)
  return isStored ? { traceId, live: true, dialect: '', source: '', recordKey: '', byTraceId: true } : undefined
}

/** Whether any span of a trace is stored. */
export async function hasTrace(target: QueryTarget, traceId: string): Promise<boolean> {
  const rows = await readRows(target, querySql('trace_by_id', { database: target.database }), { traceId })
  return rows.length > 0
}

/** Most plans have one trace, which tells all of it; a sub-plan's row does not describe the record: its root's does. */
async function findRow(target: QueryTarget, id: string, options: SelectTraceOptions): Promise<TraceRow | undefined> {
  const { kind = 'plan' } = options
  if (kind === 'plan') {
    const rows = await planTraces(target, { kind, key: id })
    const [row] = rows
    if (!row || (rows.length === 1 && isRoot(row, id))) return row
  }
  return bestTrace(target, id, options)
}

const isRoot = ({ dialect, rootPlanId }: TraceRow, id: string): boolean =>
  dialect !== '' || rootPlanId === '' || rootPlanId === id

/** Two at most of the traces that have a plan. */
const planTraces = (target: QueryTarget, key: TraceKey): Promise<TraceRow[]> =>
  readRows<TraceRow>(
    target,
    querySql('plan_traces', { database: target.database, traces_of_key: tracesOfKey(target) }),
    keyParameters(key),
  )

async function bestTrace(
  target: QueryTarget,
  id: string,
  { kind = 'plan', source, trace, dialect = '' }: SelectTraceOptions,
): Promise<TraceRow | undefined> {
  const { database } = target
  const found = `SELECT TraceId FROM (${tracesOfKey(target)})`
  const traces = tracesSql(database, `TraceId GLOBAL IN (${found})`)
  const conditions = [
    trace === undefined ? undefined : 'TraceId = {trace:String}',
    source === undefined ? undefined : `Dialect != '' AND Source = {source:String}`,
  ].filter((condition) => condition !== undefined)
  const query = querySql('select_trace', { traces, where: conditions.join(' AND ') || 'true' })
  const [row] = await readRows<TraceRow>(target, query, {
    ...keyParameters({ kind, key: id }),
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
