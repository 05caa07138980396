import type { State } from '../../semconv/index.js'
import type { PlanStep } from './plan-steps.js'
import { stateOfWord } from '../tree/index.js'

/** The facts about a plan's steps that its progress is computed from. */
export interface StepsKnown {
  /** The steps in the plan's list, otherwise those of its last planning. */
  readonly listed: readonly PlanStep[]
  /** The distinct indexes of the steps that agents have begun, and of those that are completed. */
  readonly begun: readonly number[]
  readonly done: readonly number[]
  /** The index of the current step, as the plan records it. */
  readonly current: number | undefined
  /** The task of the agent that began last. */
  readonly task: string
  /** Whether the plan is an imported record. */
  readonly isRecord: boolean
}

/** The progress of a plan's steps. */
export interface StepProgress {
  readonly count: number
  /** The number of steps that have begun, including those that are over. */
  readonly begun: number
  readonly completed: number
  /** The title of the current or last step, otherwise the task of the last agent. */
  readonly current: string
}

/** Counts a plan's steps. */
export function stepProgress({ listed, begun, done, current, task, isRecord }: StepsKnown): StepProgress {
  const last = begun.length === 0 ? undefined : begun.reduce((a, b) => Math.max(a, b))
  const count = Math.max(listed.length, (last ?? -1) + 1)
  const before = Math.min(Math.max(current ?? 0, 0), count)
  // In an imported record, steps before the current one are done even if no agent worked on them.
  const unrecorded = isRecord ? before - begun.filter((step) => step >= 0 && step < before).length : 0
  const completed =
    begun.length > 0
      ? done.length + unrecorded
      : listed.filter(({ status }) => stateOfWord(status) === 'completed').length
  return {
    count,
    begun: Math.max(begun.length + unrecorded, completed),
    completed,
    current: listed[current ?? last ?? -1]?.title || task,
  }
}

/** Returns the progress of a plan in percent: as recorded, otherwise from its steps. Undefined without steps. */
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
