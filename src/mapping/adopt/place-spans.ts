import type { StoredSpan } from '../../semconv/index.js'
import { rememberCalls } from './calls/asked-calls.js'
import { continueRuns, joinTraces, markRefused } from './waits/continue-runs.js'
import { withDistinctIds } from './waits/distinct-ids.js'
import { linkRows } from './link-rows.js'
import { type AdoptNode, walk } from './adopt-node.js'
import { withLogSpans } from './agent-logs/log-spans.js'
import { fitIntoOwn } from './own-content.js'
import { removeEchoes } from './outcome/echoed-errors.js'
import { type Outcome, settleOutcomes } from './outcome/outcomes.js'
import { placeCycles } from './place-cycles.js'
import { joinAllRuns, placeOwnAgents, placeRootPlan, placeSubPlans } from './place-plans.js'
import { joinResumedAgents } from './resumed-agents.js'
import { answersOfTraces, planEnds, type PlanEnd } from './waits/plan-ends.js'
import { markWaiting, type PlacedWait, placeWaits, readStopSigns } from './waits/place-waits.js'
import { resolveRunningTotals } from './values/running-totals.js'
import { deriveSubAgents } from './sub-agents.js'
import { settleKinds } from './settle-kinds.js'
import { placeToolCalls, type ToolCalls } from './calls/tool-calls.js'
import { dropDuplicates } from './calls/drop-duplicates.js'

/** The spans of a trace in their places, including derived ones. */
export interface PlacedSpans {
  /** The first trace of the plan. */
  readonly traceId: string
  readonly tops: readonly AdoptNode[]
  readonly calls: ToolCalls
  /** The waits for a person that no span was sent for. */
  readonly waits: readonly PlacedWait[]
  /** The ends at which other traces may continue the plan, or be continued by it. */
  readonly ends: readonly PlanEnd[]
  readonly outcomes: ReadonlyMap<AdoptNode, Outcome>
}

/** Determines the kind and the parent of each span of a trace. */
export function placeSpans(rows: readonly StoredSpan[]): PlacedSpans {
  const { nodes, roots } = linkRows(withDistinctIds(withLogSpans(rows)))
  const signs = readStopSigns(nodes)
  settleKinds(nodes, roots)
  fitIntoOwn(nodes)
  removeEchoes(nodes)
  dropDuplicates(roots)
  resolveRunningTotals(nodes)
  const callsOf = rememberCalls()
  const answersOf = answersOfTraces(nodes, callsOf)
  joinTraces(roots)
  const plan = placeRootPlan(roots)
  const tops = [...roots.filter(({ parent }) => parent === undefined), ...(plan && !roots.includes(plan) ? [plan] : [])]
  placeOwnAgents(nodes)
  joinResumedAgents(nodes)
  placeSubPlans([...nodes, ...deriveSubAgents(nodes)])
  joinAllRuns(nodes)
  const waits = placeWaits(tops, signs, callsOf)
  const endsOf = planEnds(tops, { waits, answersOf })
  const traceId = nodes[0]?.span.traceId ?? ''
  continueRuns(tops, waits, { traceId, callsOf, answersOf })
  const placed = tops.flatMap((top) => [...walk(top)])
  placeCycles(placed, callsOf)
  const calls = placeToolCalls(
    tops.flatMap((top) => [...walk(top)]),
    callsOf,
  )
  markWaiting(waits)
  markRefused(waits)
  const outcomes = settleOutcomes(tops)
  return { traceId, tops, calls, waits, ends: endsOf(), outcomes }
}
