import { z } from 'zod'

import { append } from '../../base/append.js'
import { errorTextOf, type SpanNode } from '../../mapping/index.js'
import { ATTR, type AttributeKey, isData, parseJson, type Role } from '../../semconv/index.js'
import type { CheckedPlan } from '../checked-plan.js'
import { absent, defineKind, type Found } from '../kind.js'
import { pattern } from '../patterns.js'

/** The texts of a plan: the role of their spans, and their attributes. */
const PLACES = {
  request: { role: 'plan', keys: [ATTR.inputMessages] },
  answer: { role: 'plan', keys: [ATTR.outputMessages, ATTR.planSummary] },
  steps: { role: 'plan', keys: [ATTR.planSteps, ATTR.planStepsJson] },
  instructions: { role: 'llm', keys: [ATTR.systemInstructions] },
  prompts: { role: 'llm', keys: [ATTR.inputMessages] },
  replies: { role: 'llm', keys: [ATTR.outputMessages, ATTR.thinkReasoning] },
  arguments: { role: 'tool', keys: [ATTR.toolCallArguments] },
  results: { role: 'tool', keys: [ATTR.toolCallResult] },
} as const satisfies Readonly<Record<string, { readonly role: Role; readonly keys: readonly AttributeKey[] }>>

const IN = [
  'request',
  'answer',
  'steps',
  'instructions',
  'prompts',
  'replies',
  'arguments',
  'results',
  'errors',
] as const
const place = z.enum(IN)
type Place = z.output<typeof place>

/** `text`: texts that must or must not match a pattern. */
export const text = defineKind({
  schema: z
    .strictObject({
      in: z.union([place, z.array(place).min(1)]).describe('Which texts: those of the plan, its model and tool calls.'),
      forbid: pattern.exactOptional().describe('No such text contains a match.'),
      require: pattern.exactOptional().describe('At least one such text contains a match.'),
      ignoreCase: z.boolean().exactOptional().describe('Whether the case of letters is ignored. @default false'),
    })
    .refine((rule) => rule.forbid !== undefined || rule.require !== undefined, 'sets nothing: set forbid or require')
    .describe('Patterns in texts.'),
  *check({ in: places, forbid, require, ignoreCase = false }, plan) {
    const flags = ignoreCase ? 'iu' : 'u'
    const wanted = [places].flat()
    if (forbid !== undefined) yield* matches(plan, wanted, new RegExp(forbid, flags))
    if (require === undefined) return
    const expression = new RegExp(require, flags)
    const texts = [...textsOf(plan, wanted)]
    if (texts.some((one) => expression.test(one.text))) return
    const names = wanted.join(' or ')
    if (texts.length === 0 && plan.isOver) yield { text: `no ${names} was recorded`, outcome: 'undecided' }
    else yield absent(plan, `no ${names} matches the required pattern`)
  },
})

function* matches(plan: CheckedPlan, wanted: readonly Place[], expression: RegExp): Generator<Found> {
  for (const { node, place: where, text: value } of textsOf(plan, wanted)) {
    if (expression.test(value)) yield { text: `a forbidden pattern is in the ${where}`, node }
  }
}

interface TextOf {
  readonly node: SpanNode
  readonly place: Place
  readonly text: string
}

function* textsOf({ nodes }: CheckedPlan, wanted: readonly Place[]): Generator<TextOf> {
  for (const node of nodes) {
    for (const one of wanted) {
      const value = one === 'errors' ? errorTextOf(node) : textAt(node, PLACES[one])
      if (value !== '') yield { node, place: one, text: value }
    }
  }
}

const textAt = ({ role, span }: SpanNode, at: (typeof PLACES)[keyof typeof PLACES]): string =>
  role === at.role
    ? at.keys
        .flatMap((key) => span.attributes[key] ?? [])
        .map(plainText)
        .join('\n')
    : ''

/** Returns the strings in a JSON document. Returns other text unchanged. */
function plainText(written: string): string {
  if (!/^\s*[[{"]/.test(written)) return written
  const found: string[] = []
  const pending = [parseJson(written) ?? written]
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') found.push(value)
    else if (Array.isArray(value) || isData(value)) append(pending, Object.values(value).reverse())
  }
  return found.join('\n')
}
