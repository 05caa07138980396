import type { State } from '../../semconv/index.js'
import type { UnitKind } from './unit.js'

/** In what two units differ themselves, whatever is below them. */
export const DIFFERENCES = ['action', 'detail', 'state', 'error', 'verdict', 'taken', 'answer'] as const
export type Difference = (typeof DIFFERENCES)[number]

/**
 * What a row tells: `same` of units one after the other that did the same, as all below them; `within` of one that did
 * the same, and below which something differs; `changed` of one that differs itself; `base` and `other` of what only
 * one plan has.
 */
export const ROW_KINDS = ['same', 'within', 'changed', 'base', 'other'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** What one plan has in a row. */
export interface Side {
  /** Of several the first; null for a step that has not begun. */
  readonly spanId: string | null
  /** The tool, model, guardrail or agent, or the title of the step. */
  readonly action: string
  /** Arguments, a model, the steps of a planning, what a person was asked, whose step it is: the telling part. */
  readonly detail: string | null
  readonly state: State | null
  readonly error: string | null
  /** The highest risk in it. */
  readonly risk: number | null
  /** What a guardrail found. */
  readonly safe: boolean | null
  /** Whether a tool call was made, or the action that a guardrail judged. */
  readonly taken: boolean | null
  readonly answer: string | null
  /** Sums over all that the row stands for. */
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly durationMs: number | null
}

export interface ComparedRow {
  readonly kind: RowKind
  /** What it is; null of several. */
  readonly role: UnitKind | null
  /** How deep it stands, the plan itself 0. */
  readonly depth: number
  /** Where it stands, in words. */
  readonly path: string
  /** How many units it stands for, with those below them. */
  readonly units: number
  readonly differences: Difference[]
  readonly base: Side | null
  readonly other: Side | null
}

/** Where two plans part, and what each did there, in words. */
export interface Divergence {
  readonly path: string
  readonly differences: Difference[]
  readonly base: string
  readonly other: string
  readonly baseSpanId: string | null
  readonly otherSpanId: string | null
}

/** A tool call that was the same in both and was answered otherwise. */
export interface OtherResult {
  readonly path: string
  readonly base: string
  readonly other: string
  readonly baseSpanId: string | null
  readonly otherSpanId: string | null
}

/** One plan beside the base. */
export interface PairComparison {
  /** Both did the same, and the same came of it, whatever it took. */
  readonly isSame: boolean
  /** How many units are the same, differ, or are in one plan alone. */
  readonly counts: { readonly same: number; readonly changed: number; readonly base: number; readonly other: number }
  readonly firstDivergence: Divergence | null
  /** The first of them, unless the plans part before. */
  readonly earlierResult: OtherResult | null
  readonly rowCount: number
  /** The rows that were asked for. */
  readonly rows: ComparedRow[]
}

/** What a plan comes to. */
export interface PlanTotals {
  readonly state: State
  /** The steps of the plan as it was last made. */
  readonly steps: number
  readonly agents: number
  readonly cycles: number
  readonly modelCalls: number
  readonly toolCalls: number
  readonly waits: number
  readonly subPlans: number
  /** Ended spans with an error. */
  readonly errors: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly tokens: number | null
  /** What those of its model calls cost whose price is known. */
  readonly costUsd: number | null
  readonly durationMs: number | null
  /** The highest risk that a guardrail saw. */
  readonly risk: number | null
  /** How many actions guardrails judged, found unsafe, and what came of these, where that is known. */
  readonly judged: number
  readonly unsafe: number
  readonly unsafeStopped: number
  readonly unsafeTaken: number
}
