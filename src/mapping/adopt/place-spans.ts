import type { StoredSpan } from '../../semconv/index.js'
import { rememberCalls } from './asked-calls.js'
import { linkRows } from './link-rows.js'
import { type AdoptNode, walk } from './adopt-node.js'
import { fitIntoOwn } from './own-content.js'
import { placeCycles } from './place-cycles.js'
import { joinAllRuns, placeOwnAgents, placeRootPlan, placeSubPlans } from './place-plans.js'
import { joinResumedAgents } from './resumed-agents.js'
import { settleKinds } from './settle-kinds.js'
import { placeToolCalls, type ToolCalls } from './tool-calls.js'
import { dropDuplicates } from './drop-duplicates.js'

/** The spans of a trace in their places, including derived ones. */
export interface PlacedSpans {
  readonly tops: readonly AdoptNode[]
  readonly calls: ToolCalls
}

/** Determines the kind and the parent of each span of a trace. */
export function placeSpans(rows: readonly StoredSpan[]): PlacedSpans {
  const { nodes, roots } = linkRows(rows)
  settleKinds(nodes, roots)
  fitIntoOwn(nodes)
  dropDuplicates(roots)
  const plan = placeRootPlan(roots)
  const tops = [...roots.filter(({ parent }) => parent === undefined), ...(plan && !roots.includes(plan) ? [plan] : [])]
  const callsOf = rememberCalls()
  placeOwnAgents(nodes)
  joinResumedAgents(nodes)
  placeSubPlans(nodes)
  joinAllRuns(nodes)
  const placed = tops.flatMap((top) => [...walk(top)])
  placeCycles(placed, callsOf)
  return {
    tops,
    calls: placeToolCalls(
      tops.flatMap((top) => [...walk(top)]),
      callsOf,
    ),
  }
}
