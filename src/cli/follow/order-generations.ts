import type { EncodedRecord } from '../../mapping/index.js'
import { ATTR, isOver } from '../../semconv/index.js'

/** The latest time of each unfinished record, Unix nanoseconds, by record. */
export type Reached = Record<string, string>

/**
 * Makes a record end later than the generation before: the later generation is the one that reaches further in time,
 * but a newer version may contain the same times, for example with another result. Then its end moves by a nanosecond.
 */
export function inOrder(record: EncodedRecord, reached: Reached): EncodedRecord {
  const [root, ...others] = record.spans
  const name = JSON.stringify([record.dialect, record.key])
  const before = BigInt(reached[name] ?? 0)
  const latest = record.spans.reduce((max, { endTimeUnixNano: end }) => (end > max ? end : max), 0n)
  const end = latest > before ? latest : before + 1n
  if (isOver(stateOf(record))) delete reached[name]
  else if (isNamed(record)) reached[name] = String(end)
  if (!root || end === latest) return record
  return { ...record, spans: [{ ...root, endTimeUnixNano: end }, ...others] }
}

/** The state of a record's plan; '' if unknown. */
export function stateOf({ spans: [root] }: EncodedRecord): string {
  const state = root?.attributes[ATTR.state]
  return typeof state === 'string' ? state : ''
}

/** Whether a record has an id by which its generations are recognized. */
const isNamed = ({ dialect }: EncodedRecord): boolean => dialect !== 'review-log'
