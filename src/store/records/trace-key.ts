import { type QueryTarget, querySql } from '../client/query.js'
import { readPlaces, type TracePlace } from './trace-places.js'

/**
 * The kinds of keys that find a trace. `step` finds the steps that an agent has begun, `step.listed` all steps in the
 * list of a plan. Tool calls and conversations of other instrumentations are found, too.
 */
export type TraceKeyKind = 'plan' | 'plan.root' | 'step' | 'step.listed' | 'tool_call' | 'conversation'

export interface TraceKey {
  readonly kind: TraceKeyKind
  readonly key: string
}

/**
 * The parameters of `tracesOfKey`. A plan is found by its own spans whether it is a root or not, and as a root by the
 * spans of its sub-plans, too.
 */
export const keyParameters = (
  kind: TraceKeyKind,
  keys: readonly string[],
): { readonly kinds: readonly string[]; readonly keys: readonly string[] } => ({
  kinds: [kind, ...(kind === 'plan' ? ['plan.sub'] : kind === 'plan.root' ? ['plan'] : [])],
  keys: [...keys],
})

/** A query for the ids of the traces that contain a key, with the parameters of `keyParameters`. */
export const tracesOfKey = ({ database }: Pick<QueryTarget, 'database'>): string =>
  querySql('traces_of_key', { database })

/** Finds the traces that contain one of some keys, the trace with the latest span first. */
export const findPlacesOfKeys = (
  target: QueryTarget,
  kind: TraceKeyKind,
  keys: readonly string[],
): Promise<TracePlace[]> => readPlaces(target, `GLOBAL IN (${tracesOfKey(target)})`, keyParameters(kind, keys))

/** Finds the ids of the traces that contain a key, the trace with the latest span first. */
export async function findTraces(target: QueryTarget, { kind, key }: TraceKey): Promise<string[]> {
  return (await findPlacesOfKeys(target, kind, [key])).map(({ traceId }) => traceId)
}
