import type { State } from '../../semconv/index.js'
import type { UnitKind } from './unit.js'

/** The aspects in which two units can differ, apart from what is below them. */
export const DIFFERENCES = ['action', 'detail', 'state', 'error', 'verdict', 'taken', 'answer'] as const
export type Difference = (typeof DIFFERENCES)[number]

/**
 * The kinds of rows. `same`: consecutive units that did the same, with everything below them. `within`: a unit that did
 * the same, with a difference below it. `changed`: a unit that differs itself. `base` and `other`: a unit of one plan
 * only.
 */
export const ROW_KINDS = ['same', 'within', 'changed', 'base', 'other'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** One plan's side of a row. */
export interface Side {
  /** The first of several. Null for a step that has not begun. */
  readonly spanId: string | null
  /** The tool, model, guardrail or agent, or the title of the step. */
  readonly action: string
  /**
   * The relevant part of the arguments, the model, the planned steps, the question to a person, or the step's agent.
   */
  readonly detail: string | null
  readonly state: State | null
  readonly error: string | null
  /** The highest risk in the row. */
  readonly risk: number | null
  /** The verdict of a guardrail. */
  readonly safe: boolean | null
  /** Whether a tool call, or the action that a guardrail judged, was made. */
  readonly taken: boolean | null
  readonly answer: string | null
  /** Sums over all units of the row. */
  readonly tokens: number | null
  readonly costUsd: number | null
  readonly durationMs: number | null
}

export interface ComparedRow {
  readonly kind: RowKind
  /** The kind of the unit. Null for several. */
  readonly role: UnitKind | null
  /** The depth in the tree. The plan itself has 0. */
  readonly depth: number
  /** The path in the tree, in words. */
  readonly path: string
  /** The number of units, including those below them. */
  readonly units: number
  readonly differences: Difference[]
  readonly base: Side | null
  readonly other: Side | null
}

/** Where two plans diverge, and what each did there, in words. */
export interface Divergence {
  readonly path: string
  readonly differences: Difference[]
  readonly base: string
  readonly other: string
  readonly baseSpanId: string | null
  readonly otherSpanId: string | null
}

/** A tool call that was the same in both plans but had different results. */
export interface OtherResult {
  readonly path: string
  readonly base: string
  readonly other: string
  readonly baseSpanId: string | null
  readonly otherSpanId: string | null
}

/** A plan compared with the base. */
export interface PairComparison {
  /** Both plans did the same with the same outcome, whatever they used. */
  readonly isSame: boolean
  /** The number of units that are the same, differ, or are in one plan only. */
  readonly counts: { readonly same: number; readonly changed: number; readonly base: number; readonly other: number }
  readonly firstDivergence: Divergence | null
  /** The first of them, unless the plans diverge before it. */
  readonly earlierResult: OtherResult | null
  readonly rowCount: number
  /** The requested rows. */
  readonly rows: ComparedRow[]
}

/** The totals of a plan. */
export interface PlanTotals {
  readonly state: State
  /** The number of steps in the latest version of the plan. */
  readonly steps: number
  readonly agents: number
  readonly cycles: number
  readonly modelCalls: number
  readonly toolCalls: number
  readonly waits: number
  readonly subPlans: number
  /** The number of original failures. */
  readonly failures: number
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  readonly tokens: number | null
  /** The cost of the model calls whose price is known. */
  readonly costUsd: number | null
  readonly durationMs: number | null
  /** The highest risk that a guardrail assessed. */
  readonly risk: number | null
  /** The number of actions that guardrails judged, found unsafe, stopped, and let through, as far as known. */
  readonly judged: number
  readonly unsafe: number
  readonly unsafeStopped: number
  readonly unsafeTaken: number
}
