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

const HAS_KEY = 'Kind IN {kinds:Array(String)} AND Key = {key:String}'

/** The parameters of `tracesOfKey`. A plan is found whether it is a root or not; as a root by its own spans, too. */
export const keyParameters = ({
  kind,
  key,
}: TraceKey): { readonly kinds: readonly string[]; readonly key: string } => ({
  kinds: [kind, ...(kind === 'plan' ? ['plan.sub'] : kind === 'plan.root' ? ['plan'] : [])],
  key,
})

/** A query for the traces that contain a key, and their end times, with the parameters of a key. */
export const tracesOfKey = ({ database }: Pick<QueryTarget, 'database'>): string =>
  querySql('traces_of_key', { database, has_key: HAS_KEY })

/** A query for the trace that contains a key, '' where none or several do, with the parameters of a key. */
export const onlyTraceOfKey = ({ database }: Pick<QueryTarget, 'database'>): string =>
  querySql('only_trace_of_key', { database, has_key: HAS_KEY })

/** Finds the traces that contain a key, newest first, to the second. */
export async function findTraces(target: QueryTarget, key: TraceKey): Promise<string[]> {
  const query = querySql('find_traces', { traces_of_key: tracesOfKey(target) })
  const rows = await readRows<{ traceId: string }>(target, query, keyParameters(key))
  return rows.map(({ traceId }) => traceId)
}
