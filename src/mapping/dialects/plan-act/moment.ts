import { createHash } from 'node:crypto'
import { agentFields, decodeFields, type State } from '../../../semconv/index.js'
import type { PlanStep } from '../../plan/index.js'
import type { SpanNode } from '../../tree/index.js'
import type { EventValues } from './plan-act-event.js'

/** An event that is derived from spans, before it is ordered among the others. */
export interface Moment {
  /** Identifies the event among all others, however much of its span is known. */
  readonly subject: string
  readonly type: string
  readonly time: bigint
  readonly values: EventValues
  /** Places the event before or after all others, whatever its time. @default between them */
  readonly place?: 'first' | 'last'
  /** Whether the event may disappear when more spans arrive. @default false */
  readonly isProvisional?: boolean
}

/** A run of a step of the plan, by the index of the step. */
export interface Step {
  readonly agent: SpanNode
  readonly index: number
  /** The id of the step, which does not depend on the earlier steps. */
  readonly id: string
}

/** Returns the status of a step for the state of its agent. */
export const endStatus = (state: State): string => (state === 'failed' || state === 'completed' ? state : 'running')

/** Returns the id of a step in its plan, not that of an agent's run. Clients know it before an agent begins. */
export const stepIdOf = (known: readonly PlanStep[], index: number): string => known[index]?.id ?? String(index + 1)

export function descriptionOf({ agent, index }: Step, known: readonly PlanStep[]): string {
  const { stepDescription, request, name } = decodeFields(agentFields, agent.span.attributes)
  return stepDescription ?? known[index]?.title ?? request ?? name ?? ''
}

const NANOS_PER_MS = 1_000_000n
const NUMBER_BYTES = 6

/**
 * Ids of derived events, `<ms>-<n>` as in a Redis stream. The number identifies the content of the event, not its
 * position, and is unique in a plan, so an event keeps it when more becomes known. The time may become earlier.
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
