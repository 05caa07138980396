import { createHash } from 'node:crypto'
import { agentFields, decodeFields, type State } from '../../../semconv/index.js'
import type { PlanStep } from '../../plan/index.js'
import type { SpanNode } from '../../tree/index.js'
import type { EventValues } from './plan-act-event.js'

/** An event that is derived from spans, before it has its place among the others. */
export interface Moment {
  /** Names the event among all others, however much of its span is known by then. */
  readonly subject: string
  readonly type: string
  readonly time: bigint
  readonly values: EventValues
  /** Comes before or after all the others, whatever its time. @default in between */
  readonly place?: 'first' | 'last'
}

/** A run of a step of the plan, by the index of the step. */
export interface Step {
  readonly agent: SpanNode
  readonly index: number
  /** The id of the step, which holds whether or not the steps before it are known. */
  readonly id: string
}

/** The word for a step whose agent is in a state. */
export const endStatus = (state: State): string => (state === 'failed' || state === 'completed' ? state : 'running')

/** The id of a step in its plan, not that of an agent's run of it: clients know it before an agent begins. */
export const stepIdOf = (known: readonly PlanStep[], index: number): string => known[index]?.id ?? String(index + 1)

export function descriptionOf({ agent, index }: Step, known: readonly PlanStep[]): string {
  const { stepDescription, request, name } = decodeFields(agentFields, agent.span.attributes)
  return stepDescription ?? known[index]?.title ?? request ?? name ?? ''
}

const NANOS_PER_MS = 1_000_000n
const NUMBER_BYTES = 6

/**
 * Ids of derived events, `<ms>-<n>` as a Redis stream gives them. The number stands for what the event tells of, not
 * for its place, and differs between all events of a plan: whatever else is known by then, an event keeps it. The time
 * may yet turn out to be an earlier one.
 */
export class DerivedIds {
  readonly #used = new Set<number>()

  idOf({ time, subject }: Pick<Moment, 'time' | 'subject'>): string {
    let number = createHash('sha256').update(subject).digest().readUIntBE(0, NUMBER_BYTES)
    while (this.#used.has(number)) number++
    this.#used.add(number)
    return `${time / NANOS_PER_MS}-${number}`
  }
}
