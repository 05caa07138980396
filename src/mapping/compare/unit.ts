import { ROLES, type State } from '../../semconv/index.js'
import type { SpanNode } from '../tree/index.js'

/** What stands in a row of its own: a span by its role, or a step of the plan, with its agent or not begun. */
export const UNIT_KINDS = [...ROLES, 'step'] as const
export type UnitKind = (typeof UNIT_KINDS)[number]

/** What a plan did at one place, and all that it did below that. */
export interface Unit {
  readonly kind: UnitKind
  /** Absent for a step that has not begun. */
  readonly node: SpanNode | undefined
  /** Where it stands among the units of its kind beside it, from 1. */
  readonly place: number
  readonly action: Action
  readonly outcome: Outcome
  readonly children: readonly Unit[]
  readonly figures: Figures
  readonly keys: Keys
}

/** What was done, as far as another run can do the same. */
export interface Action {
  /** The tool, model, guardrail or agent, or the title of the step. */
  readonly name: string
  /** The arguments of a tool call, the steps of a planning, what a person was asked. */
  readonly detail: string | undefined
}

/** What came of it. */
export interface Outcome {
  readonly state: State | undefined
  readonly error: string | undefined
  readonly isSafe: boolean | undefined
  /** Whether the action that a guardrail judged, or the tool call itself, was taken. */
  readonly isTaken: boolean | undefined
  /** How a person answered. */
  readonly answer: string | undefined
}

/** Sums over a unit and all below it; undefined where nothing is told. */
export interface Figures {
  readonly units: number
  readonly tokens: number | undefined
  readonly costUsd: number | undefined
  /** The highest risk. */
  readonly risk: number | undefined
}

/** Numbers that are equal for units that are alike, from the strictest on: by these they are aligned. */
export interface Keys {
  /** It and all below it did the same, and the same came of it. */
  readonly same: number
  /** It and all below it did the same. */
  readonly actions: number
  /** The same tools, models and agents, whatever they were given. */
  readonly shape: number
  readonly name: number
  readonly kind: number
  /** All that the tools answered; no two units are told apart by it. */
  readonly results: number
}
