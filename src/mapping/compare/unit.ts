import { ROLES, type State } from '../../semconv/index.js'
import type { SpanNode } from '../tree/index.js'

/** The kinds of units: a span by its role, or a step of the plan, with its agent or not begun. */
export const UNIT_KINDS = [...ROLES, 'step'] as const
export type UnitKind = (typeof UNIT_KINDS)[number]

/** What a plan did at one place, with everything below it. */
export interface Unit {
  readonly kind: UnitKind
  /** Absent for a step that has not begun. */
  readonly node: SpanNode | undefined
  /** The position among adjacent units of its kind, from 1. */
  readonly place: number
  readonly action: Action
  readonly outcome: Outcome
  readonly children: readonly Unit[]
  readonly figures: Figures
  readonly keys: Keys
}

/** What was done, as far as another run can repeat it. */
export interface Action {
  /** The tool, model, guardrail or agent, or the title of the step. */
  readonly name: string
  /** The arguments of a tool call, the planned steps, or the question to a person. */
  readonly detail: string | undefined
}

/** The outcome of a unit. */
export interface Outcome {
  readonly state: State | undefined
  readonly error: string | undefined
  readonly isSafe: boolean | undefined
  /** Whether the tool call, or the action that a guardrail judged, was made. */
  readonly isTaken: boolean | undefined
  /** The answer of a person. */
  readonly answer: string | undefined
}

/** Sums over a unit and everything below it. Undefined if unknown. */
export interface Figures {
  readonly units: number
  readonly tokens: number | undefined
  readonly costUsd: number | undefined
  /** The highest risk. */
  readonly risk: number | undefined
}

/** Numbers that are equal for similar units, from the strictest to the weakest. Units are aligned by them. */
export interface Keys {
  /** The unit and everything below it did the same with the same outcome. */
  readonly same: number
  /** The unit and everything below it did the same. */
  readonly actions: number
  /** The same tools, models and agents, with any input. */
  readonly shape: number
  readonly name: number
  readonly kind: number
  /** All results of the tools. They do not affect the alignment. */
  readonly results: number
}
