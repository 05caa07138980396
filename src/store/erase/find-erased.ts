import { isOver, STATES } from '../../semconv/index.js'
import { keptTables } from '../schema/layout.js'
import { readMigrations } from '../schema/migrations.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { traceOfForeignId } from '../records/select-trace.js'
import { readLinkedTraces } from '../records/linked-traces.js'
import { findPlaces, inPlaces } from '../records/trace-places.js'

export interface EraseChoice {
  /** Only imports of this source; '' selects those without one. */
  readonly source?: string | undefined
  /** Only this trace, and earlier and later imports of the same record. */
  readonly trace?: string | undefined
}

/** The traces that an erasure of a plan erases. */
export interface FoundErased {
  /** The traces that contain the id. */
  readonly traceIds: readonly string[]
  /** The traces that belong to them without containing the id. */
  readonly belonging: readonly string[]
  /** The ids of other plans in these traces. */
  readonly others: readonly string[]
  /** Whether spans may still arrive: the plan is running or waiting. */
  readonly isOpen: boolean
}

interface PlanRow {
  readonly traceId: string
  readonly planId: string
  /** The id as `plan_keys` contains it. */
  readonly planKey: string
  readonly rootPlanId: string
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
}

/**
 * Finds the traces that contain a plan: live ones, imports of all sources, all imports of the same record, and imported
 * records of its single agents. Throws what queries throw.
 */
export async function findErased(target: QueryTarget, id: string, choice: EraseChoice): Promise<FoundErased> {
  const own = await ask(target, 'erased_traces', { id })
  const foreign = own.length > 0 ? [] : await foreignTraces(target, id)
  const isTrace = foreign.includes(id)
  const named = [...own, ...foreign]
  const plans = await readPlans(target, named)
  const traceIds = named.filter((traceId) => isChosen(traceId, plans, choice))
  const chosen = new Set(traceIds)
  const rows = plans.filter(({ traceId }) => chosen.has(traceId))
  const keys = distinct(rows.map(({ recordKey }) => recordKey)).filter((key) => key !== '')
  const generations = keys.length === 0 ? [] : await ask(target, 'erased_generations', { recordKeys: keys })
  const all = distinct([...traceIds, ...generations])
  const belonging = distinct([...generations, ...(await agentTraces(target, all, rows))])
  const imported = new Set(rows.filter(({ dialect }) => dialect !== '').map(({ traceId }) => traceId))
  return {
    traceIds,
    belonging: belonging.filter((traceId) => !chosen.has(traceId)),
    others: distinct([...rows.map(({ rootPlanId }) => rootPlanId), ...foreign]).filter(
      (root) => root !== id && !(isTrace && foreign.includes(root)),
    ),
    isOpen: await anyIsOpen(
      target,
      traceIds.filter((traceId) => !imported.has(traceId)),
    ),
  }
}

/** The traces of another instrumentation's plan, found by the id of one of them, or of a part of the plan. */
async function foreignTraces(target: QueryTarget, id: string): Promise<string[]> {
  const traceId = traceOfForeignId(id)
  if (traceId === undefined) return []
  // After an interrupted erasure, any table may still contain the trace.
  const tables = keptTables(readMigrations()).filter(({ isOfTraces }) => isOfTraces)
  const parts = tables.map(
    ({ table }) =>
      `SELECT TraceId AS traceId FROM ${target.database}.${table} WHERE TraceId = {traceId:String} LIMIT 1`,
  )
  const rows = await readRows<{ traceId: string }>(target, parts.join(' UNION ALL '), { traceId })
  const { traceId: first = traceId, later = [] } = (await readLinkedTraces(target, [traceId])).get(traceId) ?? {}
  return distinct([...rows.map((row) => row.traceId), ...(later.length > 0 ? [first, ...later] : [])])
}

/** Whether a trace is selected. A trace without spans is left over from an interrupted erasure. */
function isChosen(traceId: string, plans: readonly PlanRow[], { source, trace }: EraseChoice): boolean {
  const own = plans.filter((plan) => plan.traceId === traceId)
  const isOfSource = own.length === 0 || own.some((plan) => plan.dialect !== '' && plan.source === source)
  return (trace === undefined || trace === traceId) && (source === undefined || isOfSource)
}

/**
 * Finds the imported records of single agents that belong to a record of the same source. Their only plan is a step of
 * that record.
 */
async function agentTraces(
  target: QueryTarget,
  traceIds: readonly string[],
  plans: readonly PlanRow[],
): Promise<string[]> {
  if (traceIds.length === 0) return []
  const found = await ask(target, 'erased_agents', { traceIds })
  if (found.length === 0) return []
  const query = querySql('erased_steps', { database: target.database })
  const steps = new Set((await readRows<{ step: string }>(target, query, { traceIds })).map(({ step }) => step))
  const sources = new Set(plans.map(({ source }) => source))
  const held = await readPlans(target, found)
  return found.filter((traceId) => {
    const own = held.filter((plan) => plan.traceId === traceId)
    const isImport = own.length === 0 || own.some(({ dialect, source }) => dialect !== '' && sources.has(source))
    return isImport && own.every(({ planKey }) => steps.has(planKey))
  })
}

const UNENDED = STATES.filter((state) => !isOver(state))

async function anyIsOpen(target: QueryTarget, traceIds: readonly string[]): Promise<boolean> {
  if (traceIds.length === 0) return false
  await target.indexed?.()
  const query = querySql('open_plans', { database: target.database })
  return (await readRows(target, query, { traceIds, unended: UNENDED })).length > 0
}

async function readPlans(target: QueryTarget, traceIds: readonly string[]): Promise<PlanRow[]> {
  const places = await findPlaces(target, traceIds)
  if (places.length === 0) return []
  const query = querySql('plans_of_traces', { database: target.database, in_places: inPlaces(places) })
  return readRows(target, query)
}

async function ask(target: QueryTarget, query: string, params: Readonly<Record<string, unknown>>): Promise<string[]> {
  const sql = querySql(query, { database: target.database })
  return (await readRows<{ traceId: string }>(target, sql, params)).map(({ traceId }) => traceId)
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
