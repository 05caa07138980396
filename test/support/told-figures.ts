import { buildForest, foldSpans, treeSpans, usageBelow } from '../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../src/semconv/index.js'

/** The roles without an object in a record. */
const UNSHOWN: ReadonlySet<string> = new Set(['planning'])

/** The roles whose state a record contains. */
const STANDING: ReadonlySet<string> = new Set(['plan', 'agent', 'think_act', 'wait'])

/** The attributes of a span that `show` prints and people count, by role. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  plan: [ATTR.planTitle, ATTR.reviewLog, ATTR.reviewCount, ATTR.reviewFinalAction],
  wait: [ATTR.waitReason, ATTR.waitTitle, ATTR.waitResolution, ATTR.waitActor],
  agent: [ATTR.agentName, ATTR.stepId],
  think_act: [ATTR.agentName],
  llm: [
    ATTR.requestModel,
    ATTR.responseModel,
    ATTR.providerName,
    ATTR.usageSource,
    ATTR.usageInputTokens,
    ATTR.usageOutputTokens,
    ATTR.usageCacheReadTokens,
    ATTR.usageCacheWriteTokens,
    ATTR.usageReasoningTokens,
    ATTR.agentName,
  ],
  guardrail: [
    ATTR.guardrailName,
    ATTR.riskScore,
    ATTR.riskIsSafe,
    ATTR.riskViolatedPolicyIds,
    ATTR.riskExplanation,
    ATTR.riskActionTaken,
  ],
  tool: [ATTR.toolName, ATTR.toolCallId, ATTR.toolCallArguments, ATTR.riskActionTaken],
}

/** The output of `show`: the spans with their positions and attributes, and the state of a wait or plan. */
function shownOf(spans: readonly StoredSpan[]): string[] {
  const tree = treeSpans(spans)
  const byId = new Map(tree.map((span) => [span.spanId, span]))
  const placeOf = ({ attributes, parentSpanId }: (typeof tree)[number]): string => {
    const parent = byId.get(parentSpanId)
    const role = attributes[ATTR.spanKind] ?? ''
    return `${parent ? placeOf(parent) : ''}${UNSHOWN.has(role) ? '' : `/${role}`}`
  }
  return (
    tree
      .filter(({ attributes }) => !UNSHOWN.has(attributes[ATTR.spanKind] ?? ''))
      // A step that no agent has started is an idle agent of the record.
      .filter(({ state }) => state !== undefined)
      .map((span) => {
        const role = span.attributes[ATTR.spanKind] ?? ''
        const state = STANDING.has(role) ? span.state : undefined
        const facts = (FACTS[role] ?? []).map((key) => span.attributes[key])
        return JSON.stringify([placeOf(span), state, ...facts, role === 'tool' ? resultOf(span.attributes) : undefined])
      })
      .sort()
  )
}

/** The result of a call; for a failed call its error, as in a record. */
function resultOf(attributes: Readonly<Record<string, string>>): string | undefined {
  const { [ATTR.toolCallResult]: result, [ATTR.errorMessage]: error, [ATTR.riskActionTaken]: taken } = attributes
  return result ?? (error === undefined || taken === 'false' ? error : `Error: ${error}`)
}

/** The numbers that people count in a plan: tokens, assessments, reviews, waits, and the output of `show`. */
export function figuresOf(spans: readonly StoredSpan[]) {
  const [tree] = buildForest(foldSpans(spans))
  return { usage: usageBelow(tree!), shown: shownOf(spans) }
}
