import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { literal } from '../client/sql-file.js'

/** A trace, and the hours in which its spans start, Unix seconds: the span table is sorted by both. */
export interface TracePlace {
  readonly traceId: string
  readonly hours: readonly number[]
}

/** Returns the condition that selects the spans of at least one trace. Literals cost less than parameters. */
export const inPlaces = (places: readonly TracePlace[]): string => {
  const pairs = places.flatMap(({ traceId, hours }) => hours.map((hour) => `(${String(hour)}, ${literal(traceId)})`))
  return `(toStartOfHour(Timestamp, 'UTC'), TraceId) IN (${pairs.join(', ')})`
}

/** Finds the hours of traces, the trace with the latest span first; those that are not stored are left out. */
export const findPlaces = (target: QueryTarget, traceIds: readonly string[]): Promise<TracePlace[]> =>
  traceIds.length === 0
    ? Promise.resolve([])
    : readPlaces(target, 'IN {traceIds:Array(String)}', { traceIds: [...traceIds] })

interface HoursRow {
  readonly traceId: string
  readonly start: number
  readonly end: number
  readonly hours: readonly number[]
}

/** Reads the hours of the traces that meet a condition, the trace with the latest span first. */
async function readPlaces(
  target: QueryTarget,
  traces: string,
  parameters: Readonly<Record<string, unknown>>,
): Promise<TracePlace[]> {
  const query = querySql('hours_of_traces', { database: target.database, traces })
  const found = new Map<string, { end: number; hours: Set<number> }>()
  for (const row of await readRows<HoursRow>(target, query, parameters)) {
    const place = found.get(row.traceId) ?? { end: 0, hours: new Set() }
    found.set(row.traceId, place)
    place.end = Math.max(place.end, row.end)
    for (const hour of hoursOf(row)) place.hours.add(hour)
  }
  return [...found]
    .sort(([a, { end }], [b, { end: other }]) => other - end || (a < b ? -1 : 1))
    .map(([traceId, { hours }]) => ({ traceId, hours: [...hours] }))
}

const HOUR = 3_600
const hourOf = (time: number): number => time - (time % HOUR)

/**
 * Returns the hours in which the spans of a trace may start. A collector's rows have no hours, and rows of planspan
 * that are merged with them lack some: then these are all hours between the first and the last.
 */
function hoursOf({ start, end, hours }: HoursRow): readonly number[] {
  const [first, last] = [hourOf(start), hourOf(end)]
  if (hours.includes(first) && hours.includes(last)) return hours
  return Array.from({ length: 1 + (last - first) / HOUR }, (_, at) => first + at * HOUR)
}

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
