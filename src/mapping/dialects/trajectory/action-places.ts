import { judgedCalls } from '../../faults/index.js'
import { nearest, type SpanNode } from '../../tree/index.js'

/**
 * Numbers the judgements of a step: each has the index of the action that it judged. A further judgement of an action,
 * or of an unknown one, is numbered after all actions, so that it judges none of them.
 */
export function actionPlaces(step: SpanNode, judgements: readonly SpanNode[]): ReadonlyMap<SpanNode, number> {
  const actions = new Map(nearest(step, 'tool').map((call, place) => [call, place]))
  const places = new Map<SpanNode, number>()
  const given = new Set<number>()
  const give = (judgement: SpanNode, place: number): void => {
    places.set(judgement, place)
    given.add(place)
  }
  const others: SpanNode[] = []
  for (const judgement of judgements) {
    const judged = (judgedCalls(judgement) ?? []).flatMap((call) => actions.get(call) ?? [])
    const free = judged.find((place) => !given.has(place))
    if (free === undefined) others.push(judgement)
    else give(judgement, free)
  }
  for (const [place, judgement] of others.entries()) give(judgement, actions.size + place)
  return places
}
