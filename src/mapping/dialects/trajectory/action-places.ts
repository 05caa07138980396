import { judgedCalls } from '../../faults/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'

/**
 * Numbers the judgements of a step: each has the index of the action that it judged. A further judgement of an action
 * is numbered after all actions. A judgement of an unknown action gets the first free number.
 */
export function actionPlaces(step: SpanNode, judgements: readonly SpanNode[]): ReadonlyMap<SpanNode, number> {
  const actions = new Map(nearest(step, 'tool').map((call, place) => [call, place]))
  const places = new Map<SpanNode, number>()
  const given = new Set<number>()
  const give = (judgement: SpanNode, place: number): void => {
    places.set(judgement, place)
    given.add(place)
  }
  const firstFree = (from: number): number => {
    let place = from
    while (given.has(place)) place++
    return place
  }
  const unknown: SpanNode[] = []
  const repeated: SpanNode[] = []
  for (const judgement of judgements) {
    const judged = (judgedCalls(judgement) ?? []).map((call) => actions.get(call) ?? 0)
    const free = judged.find((place) => !given.has(place))
    if (free !== undefined) give(judgement, free)
    else (judged.length > 0 ? repeated : unknown).push(judgement)
  }
  for (const judgement of repeated) give(judgement, firstFree(actions.size))
  for (const judgement of unknown) give(judgement, firstFree(0))
  return places
}
