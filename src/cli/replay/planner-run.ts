import {
  buildForest,
  decodeRecord,
  type DialectName,
  foldSpans,
  type FoundRecord,
  recordEncoder,
  type TokenUsage,
  toStoredSpan,
  usageBelow,
  walk,
} from '../../mapping/index.js'
import { type JsonNode, parseJsonDocument } from '../../mapping/json/index.js'
import { decodeFields, guardrailFields, isUnsafe } from '../../semconv/index.js'

/** A record of any dialect as a planner run, with the state, tokens and risk of its spans. */
export interface PlannerRun {
  readonly dialect: DialectName
  readonly state: string
  /** The record itself if its dialect is review-log, else its conversion to review-log. */
  readonly run: JsonNode
  readonly usage: TokenUsage | undefined
  readonly risk: Risk | undefined
}

/** The totals of a run's guardrail assessments. */
export interface Risk {
  readonly maxScore: number | undefined
  readonly assessments: number
  readonly unsafe: number
  readonly policies: readonly string[]
}

/** Reads a record of any dialect as a planner run. */
export function plannerRunOf(found: FoundRecord): PlannerRun | undefined {
  const { spans, dialect } = recordEncoder()(found)
  const rows = spans.map(toStoredSpan)
  const decoded = decodeRecord(rows, { format: 'review-log' })
  const [tree] = buildForest(foldSpans(rows))
  if (!decoded || !tree) return undefined
  const guardrails = [...walk(tree)].flatMap(({ role, span }) =>
    role === 'guardrail'
      ? [{ ...decodeFields(guardrailFields, span.attributes), isUnsafe: isUnsafe(span.attributes) }]
      : [],
  )
  const scores = guardrails.flatMap(({ score }) => (score === undefined || Number.isNaN(score) ? [] : [score]))
  const start = decoded.text.startsWith('\uFEFF') ? 1 : 0
  return {
    dialect,
    state: decoded.state,
    run: parseJsonDocument(decoded.text, start).root,
    usage: usageBelow(tree),
    risk:
      guardrails.length === 0
        ? undefined
        : {
            maxScore: scores.length > 0 ? scores.reduce((most, score) => Math.max(most, score)) : undefined,
            assessments: guardrails.length,
            unsafe: guardrails.filter((guardrail) => guardrail.isUnsafe).length,
            policies: [...new Set(guardrails.flatMap(({ policies = [] }) => policies))],
          },
  }
}
