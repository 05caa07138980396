import { hasMember, itemsOf, member, type JsonNode } from '../../json/index.js'

/** Whether a document is an execution_trajectory.json: a list of steps with SafePred's other keys. */
export function isTrajectory(node: JsonNode): boolean {
  const steps = member(node, 'steps')
  if (steps?.kind !== 'array') return false
  const isWritten = ['task_metadata', 'total_duration_seconds', 'cumulative_stats'].some((key) => hasMember(node, key))
  return isWritten || hasMember(itemsOf(steps)[0], 'step_idx')
}

/** Whether a line belongs to a traj.jsonl: an action, or the crash of its run. */
export function isTrajLine(node: JsonNode): boolean {
  if (isCrashLine(node)) return true
  return hasMember(node, 'step_num') && hasMember(node, 'action') && hasMember(node, 'action_timestamp')
}

export const isCrashLine = (node: JsonNode): boolean =>
  node.kind === 'object' && node.members.length === 1 && member(node, 'Error')?.kind === 'string'
