import type { Bounds } from '../span-draft.js'
import { member, type JsonNode } from '../../json/index.js'

/**
 * Derives when a researcher's calls ran from their durations: one after the other, the last one until `end`. Empty
 * without an end, or if the first would begin before 1970.
 */
export function callTimes(calls: readonly JsonNode[], end: bigint | undefined): Bounds[] {
  if (end === undefined) return []
  const bounds: Bounds[] = []
  let next = end
  for (const call of [...calls].reverse()) {
    const start = next - durationOf(call)
    if (start < 0n) return []
    bounds.push({ start, end: next })
    next = start
  }
  return bounds.reverse()
}

function durationOf(call: JsonNode): bigint {
  const duration = member(call, 'duration_seconds')
  const nanoseconds = duration?.kind === 'number' ? Math.round(Number(duration.text) * 1e9) : 0
  return Number.isFinite(nanoseconds) && nanoseconds > 0 ? BigInt(nanoseconds) : 0n
}
