import { itemsOf, member, stringOf, type JsonNode, type JsonObject } from '../../json/index.js'

/** An embedded trajectory and its place in its list. */
export type Embedded = readonly [trajectory: JsonObject, index: number]

/**
 * The embedded trajectories by the tool call whose result refers to them first, or by the step where that is of no
 * call; by undefined those that no result refers to.
 */
export type Placed = ReadonlyMap<JsonNode | undefined, readonly Embedded[]>

/** Finds for each trajectory that is embedded in another the call or step that it is the work of. */
export function placeSubPlans(trajectory: JsonNode): Placed {
  const embedded = objectsOf(member(trajectory, 'subagent_trajectories'))
  const callOf = embedded.length === 0 ? new Map<Embedded, JsonNode>() : callsOf(embedded, trajectory)
  const placed = new Map<JsonNode | undefined, Embedded[]>()
  for (const entry of embedded) {
    const call = callOf.get(entry)
    const beside = placed.get(call)
    if (beside) beside.push(entry)
    else placed.set(call, [entry])
  }
  return placed
}

/** The plan id of an embedded trajectory: its own, unless that is among those that are `taken`, which it joins. */
export function idOf(embedded: JsonObject, otherwise: string, taken: Set<string>): string {
  const own = stringOf(member(embedded, 'trajectory_id'))
  const id = own && !taken.has(own) ? own : otherwise
  taken.add(id)
  return id
}

function callsOf(embedded: readonly Embedded[], trajectory: JsonNode): ReadonlyMap<Embedded, JsonNode> {
  const byId = new Map(
    embedded.toReversed().map((entry) => [stringOf(member(entry[0], 'trajectory_id')), entry] as const),
  )
  const found = new Map<Embedded, JsonNode>()
  for (const step of itemsOf(member(trajectory, 'steps'))) {
    if (!isTurn(step)) continue
    const calls = itemsOf(member(step, 'tool_calls'))
    const called = new Map(calls.toReversed().map((call) => [callIdOf(call), call]))
    for (const result of itemsOf(member(member(step, 'observation'), 'results'))) {
      const callId = stringOf(member(result, 'source_call_id'))
      const from = callId === undefined ? step : (called.get(callId) ?? step)
      for (const entry of referredTo(result, byId)) if (!found.has(entry)) found.set(entry, from)
    }
  }
  return found
}

function referredTo(result: JsonNode, byId: ReadonlyMap<string | undefined, Embedded>): Embedded[] {
  return itemsOf(member(result, 'subagent_trajectory_ref')).flatMap((ref) => {
    const id = stringOf(member(ref, 'trajectory_id'))
    const entry = id === undefined ? undefined : byId.get(id)
    return entry ? [entry] : []
  })
}

export const callIdOf = (call: JsonNode): string | undefined => stringOf(member(call, 'tool_call_id'))

/** The objects of a list, each with its index. */
export const objectsOf = (node: JsonNode | undefined): (readonly [JsonObject, number])[] =>
  itemsOf(node).flatMap((item, index) => (item.kind === 'object' ? [[item, index] as const] : []))

/** Whether a step is the agent's; the user's and the system's are messages. */
export const isTurn = (step: JsonNode): boolean => stringOf(member(step, 'source')) === 'agent'
