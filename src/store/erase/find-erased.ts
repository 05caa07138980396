import { isOver } from '../../semconv/index.js'
import { keptTables } from '../layout.js'
import { listPlans } from '../list-plans.js'
import { readMigrations } from '../migrations.js'
import { querySql, readRows, type QueryTarget } from '../query.js'
import { traceOfForeignId } from '../select-trace.js'

export interface EraseChoice {
  /** Only imports of this source; '' selects those without one. */
  readonly source?: string | undefined
  /** Only what this trace holds, and earlier and later imports of the same record. */
  readonly trace?: string | undefined
}

/** What an erasure of a plan takes with it. */
export interface FoundErased {
  /** The traces that the plan is found by. */
  readonly traceIds: readonly string[]
  /** Those that are found by these alone. */
  readonly belonging: readonly string[]
  /** The ids of other plans in these traces. */
  readonly others: readonly string[]
  /** Whether spans may still come: a plan that an agent is at work on, or that waits. */
  readonly isOpen: boolean
}

interface PlanRow {
  readonly traceId: string
  readonly planId: string
  readonly rootPlanId: string
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
}

/**
 * Finds the traces that tell of a plan: live ones, imports of all sources and generations, and imported records of its
 * agents alone. Throws what queries throw.
 */
export async function findErased(target: QueryTarget, id: string, choice: EraseChoice): Promise<FoundErased> {
  const own = await ask(target, 'erased_traces', { id })
  const foreign = own.length > 0 ? [] : await foreignTrace(target, id)
  const named = [...own, ...foreign]
  const plans = await readPlans(target, named)
  const traceIds = named.filter((traceId) => isChosen(traceId, plans, choice))
  const chosen = new Set(traceIds)
  const rows = plans.filter(({ traceId }) => chosen.has(traceId))
  const keys = distinct(rows.map(({ recordKey }) => recordKey)).filter((key) => key !== '')
  const generations = keys.length === 0 ? [] : await ask(target, 'erased_generations', { recordKeys: keys })
  const all = distinct([...traceIds, ...generations])
  const belonging = distinct([...all, ...(await agentTraces(target, all, rows))])
  const imported = new Set(rows.filter(({ dialect }) => dialect !== '').map(({ traceId }) => traceId))
  return {
    traceIds,
    belonging: belonging.filter((traceId) => !chosen.has(traceId)),
    others: distinct([...rows.map(({ rootPlanId }) => rootPlanId), ...foreign]).filter((root) => root !== id),
    isOpen: await anyIsOpen(
      target,
      traceIds.filter((traceId) => !imported.has(traceId)),
    ),
  }
}

/** The trace of another instrumentation's plan, or of a part of it. */
async function foreignTrace(target: QueryTarget, id: string): Promise<string[]> {
  const traceId = traceOfForeignId(id)
  if (traceId === undefined) return []
  // An erasure that was cut off may have left it in any table.
  const tables = keptTables(readMigrations()).filter(({ isOfTraces }) => isOfTraces)
  const parts = tables.map(
    ({ table }) =>
      `SELECT TraceId AS traceId FROM ${target.database}.${table} WHERE TraceId = {traceId:String} LIMIT 1`,
  )
  const rows = await readRows<{ traceId: string }>(target, parts.join(' UNION ALL '), { traceId })
  return distinct(rows.map((row) => row.traceId))
}

function isChosen(traceId: string, plans: readonly PlanRow[], { source, trace }: EraseChoice): boolean {
  const isOfSource = plans.some((plan) => plan.traceId === traceId && plan.dialect !== '' && plan.source === source)
  return (trace === undefined || trace === traceId) && (source === undefined || isOfSource)
}

/** What the record of a source shows of an agent may lie in a record of that agent alone. */
async function agentTraces(
  target: QueryTarget,
  traceIds: readonly string[],
  plans: readonly PlanRow[],
): Promise<string[]> {
  if (traceIds.length === 0) return []
  const steps = querySql('erased_steps', { database: target.database })
  return ask(target, 'erased_agents', { traceIds, sources: distinct(plans.map(({ source }) => source)) }, { steps })
}

async function anyIsOpen(target: QueryTarget, traceIds: readonly string[]): Promise<boolean> {
  for (const trace of traceIds) {
    const { plans } = await listPlans(target, { trace, all: true })
    if (plans.some(({ state }) => !isOver(state))) return true
  }
  return false
}

async function readPlans(target: QueryTarget, traceIds: readonly string[]): Promise<PlanRow[]> {
  if (traceIds.length === 0) return []
  return readRows<PlanRow>(target, querySql('erased_plans', { database: target.database }), { traceIds })
}

async function ask(
  target: QueryTarget,
  query: string,
  params: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const sql = querySql(query, { database: target.database, ...parts })
  return (await readRows<{ traceId: string }>(target, sql, params)).map(({ traceId }) => traceId)
}

const distinct = <T>(values: readonly T[]): T[] => [...new Set(values)]
