import { querySql, readRows, type QueryTarget } from './query.js'

/** What a trace can be found by; tool calls and conversations of other instrumentations are found, too. */
export type TraceKeyKind = 'plan' | 'plan.root' | 'plan.parent' | 'step' | 'tool_call' | 'conversation'

export interface TraceKey {
  kind: TraceKeyKind
  key: string
}

/** A query of the traces that carry a key, and until when, by its parameters `kind` and `key`. */
export const tracesOfKey = ({ database }: Pick<QueryTarget, 'database'>): string =>
  querySql('traces_of_key', { database })

/** The traces that carry a key, the latest first, by the second. */
export async function findTraces(target: QueryTarget, { kind, key }: TraceKey): Promise<string[]> {
  const query = querySql('find_traces', { traces_of_key: tracesOfKey(target) })
  const rows = await readRows<{ traceId: string }>(target, query, { kind, key })
  return rows.map(({ traceId }) => traceId)
}
