import { AS_TOLD, ruleThatHolds, type StateFact } from '../mapping/index.js'
import { isOver, type State } from '../semconv/index.js'
import { type KnownPlan, type OpenWait, paramsOf, type PlanOfTrace } from './page-plans.js'
import { planKey } from './plan-key.js'
import type { PlanRow } from './plan-summary.js'
import { querySql, readRows, type QueryTarget } from './query.js'

/** A row of `queries/page_trees.sql`: what a plan and its sub-plans tell together. */
interface Tree {
  readonly traceId: string
  readonly rootPlanId: string
  readonly end: string
  readonly mappingVersion: number
  readonly redacted: number
  readonly openWaits: readonly OpenWait[]
  readonly closedWaits: readonly string[]
}

/** What is listed with a plan: of a record its whole trace, of an outermost plan its sub-plans, else the plan alone. */
type Heard = Pick<Tree, 'end' | 'openWaits' | 'closedWaits'>

export interface FoundPlans {
  readonly plans: readonly PlanOfTrace[]
  /** What is known of each, as it is read. */
  readonly known: Promise<ReadonlyMap<string, KnownPlan>>
  /** The traces of those that are imported records. */
  readonly imported: readonly string[]
}

/**
 * The rows that `queries/list_plans.sql` has of plans that are known to be listed: a part of what that query asks, by
 * the mapping's own rules, in a fraction of its time. Undefined where a record has several generations.
 */
export async function rowsOfFound(
  target: QueryTarget,
  { plans, known, imported }: FoundPlans,
  { now, all }: { readonly now: bigint; readonly all: boolean },
): Promise<PlanRow[] | undefined> {
  if (plans.length === 0) return []
  const { database } = target
  const [plansKnown, trees, generations] = await Promise.all([
    known,
    readRows<Tree>(target, querySql('page_trees', { database }), { ...paramsOf(plans), imported }),
    all || imported.length === 0
      ? []
      : readRows<{ traceId: string }>(target, querySql('page_generations', { database }), { traceIds: imported }),
  ])
  // A record is found by its key.
  const listed = plans.flatMap((plan) => plansKnown.get(planKey(plan)) ?? []).filter(isFindable)
  const records = listed.filter(({ dialect }) => dialect !== '').map(recordOf)
  const isKnown = new Set(imported)
  const isRepeated = new Set(records).size < records.length || generations.some(({ traceId }) => !isKnown.has(traceId))
  if (!all && isRepeated) return undefined
  const together = treesByPlan(trees, isKnown)
  return listed.map((plan) => rowOf(plan, together.get(treeKey(plan)) ?? [], now))
}

/** What is told together: of a record in all of its trace, by ''. */
function treesByPlan(trees: readonly Tree[], imported: ReadonlySet<string>): ReadonlyMap<string, Tree[]> {
  const found = new Map<string, Tree[]>()
  for (const tree of trees) {
    const { traceId, rootPlanId } = tree
    const key = planKey({ traceId, planId: imported.has(traceId) ? '' : rootPlanId })
    const known = found.get(key)
    if (known) known.push(tree)
    else found.set(key, [tree])
  }
  return found
}

const treeKey = ({ traceId, planId, rootPlanId, dialect }: KnownPlan): string =>
  planKey({ traceId, planId: dialect === '' ? rootPlanId || planId : '' })

const isFindable = ({ dialect, recordKey }: KnownPlan): boolean => dialect === '' || recordKey !== ''

const recordOf = ({ dialect, source, recordKey }: KnownPlan): string => JSON.stringify([dialect, source, recordKey])

function rowOf(plan: KnownPlan, trees: readonly Tree[], now: bigint): PlanRow {
  const { planId, traceId, dialect, source, recordKey, digest, start } = plan
  const rootPlanId = plan.rootPlanId || planId
  const isLive = dialect === ''
  const heard = isLive && rootPlanId !== planId ? plan : allOf(trees)
  const waits = awaited(plan, heard)
  const state = stateOf(plan, { heard, isAwaiting: waits.length > 0, isLive, now })
  const waitingSince = waits.length > 0 ? earliest(waits.map(([, lastHeard]) => lastHeard)) : heard.end
  return {
    planId,
    rootPlanId,
    traceId,
    dialect,
    convention: '',
    source,
    recordKey,
    digest,
    mappingVersion: trees.reduce((version, tree) => Math.max(version, tree.mappingVersion), 0),
    redacted: trees.reduce((redacted, tree) => Math.max(redacted, tree.redacted), 0),
    planSpan: plan.planSpan > 0 && isPending(plan) ? 1 : plan.planSpan,
    start,
    end: heard.end,
    state,
    waitingSince: state === 'waiting' ? waitingSince : null,
    rank: '0',
  }
}

const allOf = (trees: readonly Tree[]): Heard => ({
  end: trees.map(({ end }) => end).reduce((a, b) => (BigInt(a) > BigInt(b) ? a : b), '0'),
  openWaits: trees.flatMap(({ openWaits }) => openWaits),
  closedWaits: trees.flatMap(({ closedWaits }) => closedWaits),
})

const earliest = (times: readonly string[]): string => times.reduce((a, b) => (BigInt(a) < BigInt(b) ? a : b))

const isPending = ({ latest }: KnownPlan): boolean => ((BigInt(latest) >> 31n) & 1n) === 0n

/** The waits that were open and heard of since the plan's latest segment began. */
function awaited({ latest }: KnownPlan, { openWaits, closedWaits }: Heard): OpenWait[] {
  const began = BigInt.asIntN(64, BigInt(latest) >> 32n)
  const closed = new Set(closedWaits)
  return openWaits.filter(([id, lastHeard]) => BigInt(lastHeard) >= began && !closed.has(id))
}

interface Standing {
  readonly heard: Heard
  readonly isAwaiting: boolean
  readonly isLive: boolean
  readonly now: bigint
}

/** A plan whose own span is missing is known to run. */
function stateOf(plan: KnownPlan, { heard, isAwaiting, isLive, now }: Standing): State {
  if (plan.planSpan === 0) return 'running'
  const told = plan.told === '' ? undefined : (plan.told as State)
  const heartbeat = BigInt(plan.heartbeatMs) * 1_000_000n
  const facts: Partial<Record<StateFact, boolean>> = {
    tells: told !== undefined,
    tellsNothing: told === undefined,
    tellsOver: isOver(told),
    tellsWaiting: told === 'waiting',
    ended: !isPending(plan),
    isPlan: true,
    awaits: isAwaiting,
    isSilent: isLive && heartbeat > 0n && now - BigInt(heard.end) > heartbeat,
    hasAgent: plan.hasAgent !== 0,
  }
  const state = ruleThatHolds((fact) => facts[fact] === true)?.state
  return state === AS_TOLD && told !== undefined ? told : (state as State)
}
