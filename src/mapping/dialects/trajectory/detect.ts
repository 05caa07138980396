import { itemsOf, member, type JsonNode } from '../../json/node.js'

const has = (node: JsonNode | undefined, key: string): boolean => member(node, key) !== undefined

/** An execution_trajectory.json: a list of steps, and what SafePred writes beside it. */
export function isTrajectory(node: JsonNode): boolean {
  const steps = member(node, 'steps')
  if (steps?.kind !== 'array') return false
  const isWritten = ['task_metadata', 'total_duration_seconds', 'cumulative_stats'].some((key) => has(node, key))
  return isWritten || has(itemsOf(steps)[0], 'step_idx')
}

/** A line of a traj.jsonl: an action, or the crash of its run. */
export function isTrajLine(node: JsonNode): boolean {
  if (isCrashLine(node)) return true
  return has(node, 'step_num') && has(node, 'action') && has(node, 'action_timestamp')
}

export const isCrashLine = (node: JsonNode): boolean =>
  node.kind === 'object' && node.members.length === 1 && member(node, 'Error')?.kind === 'string'
