import { continuationsOf, type KnownEnd, type PlanEnd } from '../mapping/index.js'
import { type QueryTarget, readLinkedTraces, readPlanEnds, writeRows } from '../store/index.js'
import type { KnownTrace } from './known-trace.js'
import { readTraces } from './read-traces.js'
import { linkRow } from './rows/index.js'

/**
 * Attaches the traces in which a plan goes on to its first trace, which alone has rows. Adds the traces of these plans
 * that are not among `traces`.
 */
export async function attachTraces(
  target: QueryTarget,
  traces: Map<string, KnownTrace>,
  maxSpans: number,
): Promise<void> {
  const foreign = [...traces.values()].filter(({ isForeign }) => isForeign).map(({ traceId }) => traceId)
  const linked = await readLinkedTraces(target, foreign)
  const plans = new Map([...linked.values()].map((plan) => [plan.traceId, plan]))
  const absent = [...plans.values()]
    .flatMap(({ traceId, later }) => [traceId, ...later])
    .filter((id) => !traces.has(id))
  for (const [traceId, trace] of await readTraces(target, [...new Set(absent)], maxSpans)) traces.set(traceId, trace)
  for (const trace of traces.values()) trace.attach([], linked.get(trace.traceId)?.traceId)
  for (const { traceId, later } of plans.values()) {
    traces.get(traceId)?.attach(
      later.map((id) => traces.get(id)).filter((trace) => trace !== undefined),
      traceId,
    )
  }
}

/** The ends of the plan of a trace, and the version with which its rows are written. */
export interface TraceEnds {
  readonly ends: readonly PlanEnd[]
  readonly version: bigint
}

/**
 * Links traces whose plans go on in another one, as far as the ends of some traces decide it. Returns the traces to
 * index again.
 */
export async function linkTraces(target: QueryTarget, changed: ReadonlyMap<string, TraceEnds>): Promise<string[]> {
  const keys = new Set([...changed.values()].flatMap(({ ends }) => ends.map(({ key }) => key)))
  const known = await readPlanEnds(target, [...keys])
  const continued = continuationsOf(known)
  const written = known.filter(isAnswer).flatMap((end) => {
    const plan = continued.get(end.traceId)
    return plan === undefined ? [] : [{ ...linkRow(end, plan), version: changed.get(end.traceId)?.version ?? 1n }]
  })
  await writeRows(target, { written, removed: [] })
  return [...new Set([...continued].flat())]
}

const isAnswer = ({ side }: KnownEnd): boolean => side === 'answers'
