import { querySql, readRows, type QueryTarget } from './query.js'

/**
 * The kinds of keys that find a trace. A step is one that an agent has begun, a listed one any of a plan's list. Tool
 * calls and conversations of other instrumentation are found, too.
 */
export type TraceKeyKind = 'plan' | 'plan.root' | 'plan.parent' | 'step' | 'step.listed' | 'tool_call' | 'conversation'

export interface TraceKey {
  kind: TraceKeyKind
  key: string
}

/** A query for the traces that contain a key, and their end times, with the parameters `kind` and `key`. */
export const tracesOfKey = ({ database }: Pick<QueryTarget, 'database'>): string =>
  querySql('traces_of_key', { database })

/** Finds the traces that contain a key, newest first, to the second. */
export async function findTraces(target: QueryTarget, { kind, key }: TraceKey): Promise<string[]> {
  const query = querySql('find_traces', { traces_of_key: tracesOfKey(target) })
  const rows = await readRows<{ traceId: string }>(target, query, { kind, key })
  return rows.map(({ traceId }) => traceId)
}
