import { z } from 'zod'

import { actionOf, endOf, reviewsOf, type SpanNode } from '../../mapping/index.js'
import { decodeFields, waitFields } from '../../semconv/index.js'
import type { CheckedPlan } from '../checked-plan.js'
import { defineKind, unknownArguments } from '../kind.js'
import { matchesName, names } from '../patterns.js'
import { type Action, nodesInOrder } from '../plan-actions.js'
import { action, selectActions } from '../select-actions.js'

/** A person's decision on the plan or on a tool call. */
interface Decision {
  readonly isApproval: boolean
  readonly by: string
  /** When it was made. Undefined if only its order is known, which is before the work of the plan. */
  readonly time: bigint | undefined
  /** The tool and the call that it is about. Undefined if it is about the plan. */
  readonly tool?: string | undefined
  readonly callId?: string | undefined
  /** The wait that it ended. Undefined for a review without a wait. */
  readonly wait?: SpanNode
}

/** `review`: actions need an approval by a person. */
export const review = defineKind({
  schema: z
    .strictObject({
      before: action.describe('The actions that need an approval.'),
      by: names.exactOptional().describe('Only approvals by these people count.'),
    })
    .describe('A person approved the plan, or the call itself, before each of these actions.'),
  *check({ before, by }, plan) {
    const { actions, unknown } = selectActions(plan, before)
    if (actions.length === 0 && unknown.length === 0) return
    const decisions = decisionsOf(plan).filter((each) => by === undefined || matchesName(by, each.by))
    for (const each of actions) {
      const below = new Set(nodesInOrder(each.node))
      const own = decisions.findLast(({ wait }) => wait !== undefined && below.has(wait))
      // A refused call that ended otherwise was not made.
      if (own?.isApproval === false && each.state !== 'completed') continue
      const last = own ?? decisions.findLast((decision) => isAbout(decision, each))
      if (!last) yield { text: `${each.name} without an earlier approval by a person`, node: each.node }
      else if (!last.isApproval) yield { text: `${each.name} although a person refused it`, node: each.node }
    }
    for (const { name, node } of unknown) yield unknownArguments(name, node)
  },
})

const WAIT = {
  reason: waitFields.reason,
  resolution: waitFields.resolution,
  action: waitFields.reviewAction,
  actor: waitFields.actor,
  tool: waitFields.toolName,
  callId: waitFields.callId,
}
const APPROVALS: ReadonlySet<string> = new Set(['approved', 'ACCEPT_PLAN'])
const REFUSALS: ReadonlySet<string> = new Set(['refused', 'REQUEST_CHANGES', 'ABORT', 'expired', 'cancelled'])

/** Returns all decisions on a plan, by time. */
function decisionsOf({ nodes }: CheckedPlan): Decision[] {
  const waits = nodes.filter(({ role }) => role === 'wait').flatMap(decisionOfWait)
  const reviews = nodes
    .filter(({ role }) => role === 'plan')
    .flatMap(({ span }) => reviewsOf(span))
    .map(({ action: decided = '', reviewer = '', time }) => ({
      isApproval: APPROVALS.has(decided),
      by: reviewer,
      time,
    }))
  return [...reviews, ...waits].sort((a, b) => Number((a.time ?? 0n) - (b.time ?? 0n)))
}

function decisionOfWait(wait: SpanNode): Decision[] {
  const {
    resolution = '',
    action: decided = resolution,
    actor = '',
    tool,
    callId,
  } = decodeFields(WAIT, wait.span.attributes)
  if (!APPROVALS.has(decided) && !REFUSALS.has(decided)) return []
  return [{ isApproval: APPROVALS.has(decided), by: actor, time: endOf(wait.span), tool, callId, wait }]
}

function isAbout({ time, tool, callId }: Decision, { start, isUntimed, name, node }: Action): boolean {
  if (time !== undefined && !isUntimed && time > start) return false
  const { callId: ownId } = actionOf(node)
  if (callId !== undefined && ownId !== undefined) return callId === ownId
  return tool === undefined || tool === name
}
