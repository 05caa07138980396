import type { StoredSpan } from '../../semconv/index.js'
import { rememberCalls } from './asked-calls.js'
import { isUnread, kindRuleOf } from './kind-of.js'
import { linkRows } from './link-rows.js'
import { walk } from './node.js'
import { fitIntoOwn } from './own-content.js'
import { placeCycles } from './place-cycles.js'
import { joinAllRuns, placeOwnAgents, placeRootPlan, placeSubPlans } from './place-plans.js'
import { joinResumedAgents } from './resumed-agents.js'
import { settleKinds } from './settle-kinds.js'
import { tellOnce } from './tell-once.js'
import { writeSpans } from './write-spans.js'

/**
 * The rows of one trace with what other instrumentations tell of plans, agents, cycles, model and tool calls in
 * planspan's own conventions: the same attributes, each span below what it is part of, and the plan, agent and cycle
 * spans that nobody sent. Rows of planspan's own stay as they are, but for what a call or an agent lacks and another
 * instrumentation tells of it. What is not understood is said to be a gap.
 */
export function adopt(rows: Iterable<StoredSpan>): readonly StoredSpan[] {
  const all = [...rows]
  if (!all.some(isForeign)) return all
  const { nodes, roots } = linkRows(all)
  settleKinds(nodes, roots)
  fitIntoOwn(nodes)
  tellOnce(nodes)
  const plan = placeRootPlan(roots)
  const tops = [...roots.filter(({ parent }) => parent === undefined), ...(plan && !roots.includes(plan) ? [plan] : [])]
  const callsOf = rememberCalls()
  placeOwnAgents(nodes)
  joinResumedAgents(nodes)
  placeSubPlans(nodes)
  joinAllRuns(nodes)
  placeCycles(
    tops.flatMap((top) => [...walk(top)]),
    callsOf,
  )
  return writeSpans(tops, callsOf)
}

/** Whether a row is of another instrumentation and stands for something in a plan, or might. */
const isForeign = (span: StoredSpan): boolean => kindRuleOf(span) !== undefined || isUnread(span)
