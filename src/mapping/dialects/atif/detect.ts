import { append } from '../../../base/append.js'
import { itemsOf, member, stringOf, type JsonNode } from '../../json/index.js'

/** Whether a document states that it is a trajectory in the interchange format. */
export function isAtif(document: JsonNode): boolean {
  if (member(document, 'steps')?.kind !== 'array') return false
  return stringOf(member(document, 'schema_version'))?.startsWith('ATIF-') === true
}

/** Yields the steps of a trajectory and of those embedded in it. */
export function* stepsWithin(trajectory: JsonNode): Generator<JsonNode> {
  const pending = [trajectory]
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield* itemsOf(member(next, 'steps'))
    append(pending, itemsOf(member(next, 'subagent_trajectories')))
  }
}
