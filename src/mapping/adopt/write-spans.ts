import { ATTR, attributeType, PENDING, type Role, spanName, type StoredSpan } from '../../semconv/index.js'
import { conventionType } from '../conventions/index.js'
import { describe } from './describe.js'
import { callIdOf } from './calls/describe-tool.js'
import { hiddenCallsOf } from './calls/hidden-calls.js'
import type { Outcome } from './outcome/outcomes.js'
import { errorOf, isFailed } from './outcome/span-failure.js'
import { isUnread } from './kind-of.js'
import type { Kind } from './kind.js'
import { markMissing } from './calls/missing-content.js'
import { factOfNode } from './values/node-facts.js'
import { above, type AdoptNode, hasRole, walk } from './adopt-node.js'
import type { PlacedSpans } from './place-spans.js'
import { CONVERSATION } from './values/fact-places.js'
import type { ToolCalls } from './calls/tool-calls.js'

/** The plan that contains a span. */
interface PlanIds {
  readonly planId: string
  readonly rootId: string
}

/** Writes the rows of the adopted nodes. */
export function writeSpans({ traceId, tops, calls, outcomes }: PlacedSpans): StoredSpan[] {
  const plans = new Map<AdoptNode, PlanIds>()
  const written = tops.flatMap((top) =>
    [...walk(top)].flatMap((node) => {
      const around = node.parent && plans.get(node.parent)
      const ids = idsOf(node, around)
      if (ids) plans.set(node, ids)
      if (node.own !== undefined) return ownRows(node, calls).map((row) => ({ node, row }))
      const place = ids && { ids, around, calls, outcome: outcomes.get(node) }
      return [{ node, row: hasRole(node) && place ? roleRow(node, place) : otherRow(node) }]
    }),
  )
  // A plan that goes on in other traces is in its first one.
  return markMissing(written).map((row) => (row.traceId === traceId ? row : { ...row, traceId }))
}

function idsOf(node: AdoptNode, around: PlanIds | undefined): PlanIds | undefined {
  const attributes = node.own === undefined ? node.attributes : node.span.attributes
  const { [ATTR.planId]: planId, [ATTR.planRootId]: rootId } = attributes
  return planId === undefined
    ? around
    : { planId, rootId: rootId ?? (node.own === undefined ? around?.rootId : undefined) ?? planId }
}

interface Place {
  readonly ids: PlanIds
  /** The plan around the plan. */
  readonly around: PlanIds | undefined
  readonly calls: ToolCalls
  /** How the span ended. Undefined for an open span. */
  readonly outcome: Outcome | undefined
}

/** Writes a span that has a role. */
function roleRow(node: AdoptNode, { ids, around, calls, outcome }: Place): StoredSpan {
  const { span } = node
  const isMadeUp = node.rows.length === 0
  const hidden = node.kind === 'agent' ? hiddenCallsOf(node) : undefined
  const attributes: Record<string, string> = {
    ...duplicatesAttributes(node),
    ...span.attributes,
    ...describe(node, calls),
    ...(node.kind === 'plan' && planAttributes(node, { ids, around, calls })),
    ...(hidden !== undefined && { [ATTR.adoptedGap]: hidden }),
    ...(outcome && errorBelow(node, outcome)),
    ...node.attributes,
    [ATTR.spanKind]: node.kind,
    [ATTR.planId]: ids.planId,
    [ATTR.planRootId]: ids.rootId,
    [ATTR.adoptedConvention]: conventionOf(node),
    ...(isMadeUp && { [ATTR.adoptedMadeUp]: 'true' }),
    ...(node.isReattached && { [ATTR.adoptedGap]: `the parent ${span.parentSpanId} of "${span.name}"` }),
    ...(node.pending && snapshot(node)),
  }
  const statusCode = isFailed(node) && outcome?.state !== 'completed' ? 'ERROR' : span.statusCode
  const name = spanName(node.kind as Role, attributes[SUBJECTS[node.kind] ?? ''])
  return { ...span, name, attributes, statusCode, parentSpanId: parentIdOf(node) }
}

/**
 * Returns the attributes of a span's duplicates, such as the client's and the server's side of a tool call, that the
 * GenAI conventions define and planspan has no field for. Adoption reads the others.
 */
function duplicatesAttributes({ twins }: AdoptNode): Record<string, string> {
  const found = twins.flatMap(({ span }) => Object.entries(span.attributes))
  return Object.fromEntries(
    found.filter(([key]) => attributeType(key) === undefined && conventionType(key) !== undefined),
  )
}

/** Returns the error of the work below a span that decided that the span failed. */
function errorBelow(node: AdoptNode, { state, by }: Outcome): Record<string, string> {
  const { type, message } = (state === 'failed' && by !== node && !isFailed(node) && errorOf(by)) || {}
  return {
    ...(type !== undefined && { [ATTR.errorType]: type }),
    ...(message !== undefined && { [ATTR.errorMessage]: message }),
  }
}

/** The attribute that names the span of each role, as for planspan's own spans. */
const SUBJECTS: Partial<Record<Kind, string>> = {
  plan: ATTR.agentName,
  agent: ATTR.agentName,
  llm: ATTR.requestModel,
  tool: ATTR.toolName,
  guardrail: ATTR.guardrailName,
}

/** An open span is written as planspan writes its own: as a snapshot of itself. */
const snapshot = (node: AdoptNode): Record<string, string> => ({
  [ATTR.spanState]: PENDING,
  [ATTR.pendingSpanId]: node.span.spanId,
  [ATTR.pendingParentSpanId]: parentIdOf(node),
})

/** A root may have a parent in another process. */
const parentIdOf = ({ span, parent }: AdoptNode): string => parent?.span.spanId ?? span.parentSpanId

function planAttributes(plan: AdoptNode, { ids, around, calls }: Omit<Place, 'outcome'>): Record<string, string> {
  const conversation = conversationOf(plan)
  const call = above(plan)
  const callId = call?.kind === 'tool' ? callIdOf(call, calls) : undefined
  const isSub = around !== undefined && around.planId !== ids.planId
  return {
    ...(conversation !== undefined && { [ATTR.conversationId]: conversation }),
    ...(isSub && { [ATTR.planParentId]: around.planId }),
    ...(isSub && callId !== undefined && { [ATTR.planParentToolCallId]: callId }),
  }
}

/** On a model call this may be the id of a response instead. */
function conversationOf(plan: AdoptNode): string | undefined {
  for (const node of walk(plan)) {
    const conversation = node.kind === 'llm' ? undefined : factOfNode(node, CONVERSATION)
    if (conversation !== undefined) return conversation
  }
  return undefined
}

/** A derived span has the convention of the first span below it. */
function conventionOf(node: AdoptNode): string {
  for (const below of walk(node)) if (below.convention !== undefined) return below.convention
  return ''
}

/** Writes a span without a role, in its place. A span that was not understood is marked as a gap. */
function otherRow(node: AdoptNode): StoredSpan {
  const { span } = node
  const isLost = node.convention === undefined && isUnread(span)
  const gap = node.attributes[ATTR.adoptedGap] ?? (isLost ? `the content of "${span.name}"` : undefined)
  const attributes = gap === undefined ? span.attributes : { ...span.attributes, [ATTR.adoptedGap]: gap }
  return { ...span, attributes, parentSpanId: parentIdOf(node) }
}

/** Writes one of planspan's own spans, with the values that it lacks and another instrumentation has. */
function ownRows(node: AdoptNode, calls: ToolCalls): readonly StoredSpan[] {
  const [first, ...others] = node.twins
  if (!first || node.kind === 'plan') return node.rows
  const { [ATTR.stepId]: _, ...derived } = describe({ ...first, kind: node.kind, twins: others }, calls)
  return node.rows.map((row) => ({ ...row, attributes: { ...derived, ...row.attributes } }))
}
