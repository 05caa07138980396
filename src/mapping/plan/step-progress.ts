import type { State } from '../../semconv/index.js'
import type { PlanStep } from './plan-steps.js'
import { stateOfWord } from '../tree/index.js'

/** What is known of a plan's steps beside their list. */
export interface StepsKnown {
  /** The steps of the plan's list, else of its last planning's. */
  readonly listed: readonly PlanStep[]
  /** The indexes of the steps that agents have begun, each once, and of those of them that are completed. */
  readonly begun: readonly number[]
  readonly done: readonly number[]
  /** The index of the step at work, as the plan itself tells it. */
  readonly current: number | undefined
  /** The task of the agent that began last. */
  readonly task: string
  /** Whether the plan is an imported record. */
  readonly isRecord: boolean
}

/** How far a plan's steps have come. */
export interface StepProgress {
  readonly count: number
  /** How many have begun, those that are over included. */
  readonly begun: number
  readonly completed: number
  /** The title of the step at work, or of the last that was, else the last agent's task. */
  readonly current: string
}

/** Counts a plan's steps. */
export function stepProgress({ listed, begun, done, current, task, isRecord }: StepsKnown): StepProgress {
  const last = begun.length === 0 ? undefined : begun.reduce((a, b) => Math.max(a, b))
  const count = Math.max(listed.length, (last ?? -1) + 1)
  const before = Math.min(Math.max(current ?? 0, 0), count)
  // A record that tells of no agent at a step before its current one tells nothing else of a step that is done.
  const untold = isRecord ? before - begun.filter((step) => step >= 0 && step < before).length : 0
  const completed =
    begun.length > 0 ? done.length + untold : listed.filter(({ status }) => stateOfWord(status) === 'completed').length
  return {
    count,
    begun: Math.max(begun.length + untold, completed),
    completed,
    current: listed[current ?? last ?? -1]?.title || task,
  }
}

/** Returns how much of a plan is done, percent: as the plan says, otherwise by its steps; undefined without any. */
export function progressPercent({
  state,
  stated,
  steps,
}: {
  readonly state: State
  readonly stated: number | undefined
  readonly steps: StepProgress
}): number | undefined {
  if (state === 'completed') return 100
  if (stated !== undefined) return stated
  return steps.count > 0 ? (100 * steps.completed) / steps.count : undefined
}
