import {
  agentFields,
  decodeFields,
  guardrailFields,
  llmFields,
  planFields,
  toolFields,
  waitFields,
  ATTR,
  isUnsafe,
} from '../../semconv/index.js'
import type { SpanJson } from '../../wire/index.js'

/** A labeled text below a span's line. */
export type Detail = readonly [label: string, text: string]

/** Returns the details of a span: why it failed or was stopped, the request and the answer. */
export function detailsOf(span: SpanJson, { isFull }: { readonly isFull: boolean }): Detail[] {
  const { attributes } = span
  const role = attributes[ATTR.spanKind] ?? ''
  const details = [...(DETAILS[role]?.(attributes, isFull) ?? []), ['error', errorOf(span)] as const]
  return details.flatMap(([label, text]): Detail[] => (text === undefined || text.trim() === '' ? [] : [[label, text]]))
}

type Attributes = SpanJson['attributes']
type Texts = readonly (readonly [label: string, text: string | undefined])[]

const DETAILS: Readonly<Record<string, (attributes: Attributes, isFull: boolean) => Texts>> = {
  plan: (attributes) => {
    const { summary } = decodeFields(planFields, attributes)
    return [...exchange(attributes), ['summary', summary]]
  },
  agent: (attributes) => {
    const { stepDescription } = decodeFields(agentFields, attributes)
    return [['step', stepDescription], ...exchange(attributes)]
  },
  llm: (attributes, isFull) => {
    const { reasoningTokens } = decodeFields(llmFields, attributes)
    return [
      ...(isFull ? exchange(attributes) : exchange(attributes).slice(1)),
      ['reasoning', isFull && reasoningTokens ? `${String(reasoningTokens)} tokens` : undefined],
    ]
  },
  tool: (attributes, isFull) => {
    const { arguments: called, result } = decodeFields(toolFields, attributes)
    return [...(isFull ? ([['arguments', called]] as const) : []), ['result', result]]
  },
  guardrail: riskDetails,
  wait: waitDetails,
}

/** The request and the answer of a plan, agent or model call; messages that are not plain text stay unchanged. */
const exchange = (attributes: Attributes): Texts => {
  const { request, result } = decodeFields(planFields, attributes)
  return [
    ['request', request ?? attributes[planFields.request.key]],
    ['answer', result ?? attributes[planFields.result.key]],
  ]
}

function riskDetails(attributes: Attributes): Texts {
  const {
    isSafe,
    actionTaken,
    policies = [],
    explanation,
    optimizationGuidance,
  } = decodeFields(guardrailFields, attributes)
  const verdict = isSafe === undefined ? '' : isSafe ? 'safe' : 'not safe'
  const unknown = isUnsafe(attributes) ? 'unknown whether the action was taken' : ''
  const action = actionTaken === undefined ? unknown : actionTaken ? 'action taken' : 'action stopped'
  return [
    ['verdict', [verdict, action, policies.join(', ')].filter((part) => part !== '').join('; ')],
    ['because', explanation],
    ['instead', optimizationGuidance],
  ]
}

function waitDetails(attributes: Attributes): Texts {
  const { formDescription, resolution, actor, reviewAttempt, reviewAction, reviewFeedback } = decodeFields(
    waitFields,
    attributes,
  )
  const by = actor === undefined ? '' : ` by ${actor}`
  const attempt = reviewAttempt === undefined ? '' : ` of attempt ${String(reviewAttempt)}`
  const feedback = reviewFeedback === undefined || reviewFeedback === '' ? '' : `: ${reviewFeedback}`
  return [
    ['asked', formDescription],
    ['review', reviewAction === undefined ? undefined : `${reviewAction}${attempt}${by}${feedback}`],
    ['answered', reviewAction !== undefined || resolution === undefined ? undefined : `${resolution}${by}`],
  ]
}

/** The reason why a span failed, with the class of the error if known. */
function errorOf({ error }: SpanJson): string | undefined {
  if (!error) return undefined
  return error.type === null || error.text.includes(error.type) ? error.text : `${error.type}: ${error.text}`
}
