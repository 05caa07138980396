import type { State } from '../../../semconv/index.js'
import { isTrue, itemsOf, member, type JsonNode, type JsonObject } from '../../json/index.js'

/** The steps of one run, each with its index in the file. A file with repeated runs contains several. */
export interface Run {
  readonly steps: readonly (readonly [JsonObject, number])[]
}

/** Splits a trajectory into runs. A step_idx that does not increase begins the next run. */
export function splitRuns(steps: JsonNode | undefined): Run[] {
  const runs: [JsonObject, number][][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const [seq, step] of itemsOf(steps).entries()) {
    if (step.kind !== 'object') continue
    const node = member(step, 'step_idx')
    const index = node?.kind === 'number' ? Number(node.text) : Number.NaN
    if (runs.length === 0 || index <= last) runs.push([])
    runs.at(-1)?.push([step, seq])
    if (!Number.isNaN(index)) last = index
  }
  return runs.map((run) => ({ steps: run }))
}

const lastResult = ({ steps }: Run): JsonNode | undefined => itemsOf(member(steps.at(-1)?.[0], 'action_results')).at(-1)

/** Whether the environment reported the task as done. */
export const isTaskDone = (run: Run): boolean =>
  isTrue(member(lastResult(run), 'done')) || isTrue(member(run.steps.at(-1)?.[0], 'done'))

/** Whether the agent gave up. */
const isFailure = (run: Run): boolean => isTrue(member(member(lastResult(run), 'info'), 'fail'))

/** Returns the state of a run that is over: the agent finished the task, gave up, or was interrupted. */
export const stateOfEnded = (run: Run): State => (isTaskDone(run) && !isFailure(run) ? 'completed' : 'failed')
