import { appendTo } from '../../../base/append.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject } from '../../json/index.js'

/** An embedded trajectory and its index in its list. */
export type Embedded = readonly [trajectory: JsonObject, index: number]

/**
 * The embedded trajectories by the tool call whose result is the first to refer to them, or by the step if that result
 * belongs to no call. Unreferenced trajectories have the key undefined.
 */
export type Placed = ReadonlyMap<JsonNode | undefined, readonly Embedded[]>

/** Finds the call or step that each embedded trajectory belongs to. */
export function placeSubPlans(trajectory: JsonNode): Placed {
  const embedded = objectsOf(member(trajectory, 'subagent_trajectories'))
  const callOf = embedded.length === 0 ? new Map<Embedded, JsonNode>() : callsOf(embedded, trajectory)
  const placed = new Map<JsonNode | undefined, Embedded[]>()
  for (const entry of embedded) {
    appendTo(placed, callOf.get(entry), entry)
  }
  return placed
}

/** Returns the plan id of an embedded trajectory: its own, unless that is in `taken`. Adds the id to `taken`. */
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

/** Returns the objects of a list, each with its index. */
export const objectsOf = (node: JsonNode | undefined): (readonly [JsonObject, number])[] =>
  itemsOf(node).flatMap((item, index) => (item.kind === 'object' ? [[item, index] as const] : []))

/** Whether a step is the agent's. Steps of the user and the system are messages. */
export const isTurn = (step: JsonNode): boolean => stringOf(member(step, 'source')) === 'agent'
