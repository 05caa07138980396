import type { EncodedRecord } from '../../mapping/index.js'
import { ATTR, isOver } from '../../semconv/index.js'

/** How far each record that is not over reached, Unix nanoseconds, by its name. */
export type Reached = Record<string, string>

/**
 * The later generation of a record is the one that reaches further in time. One that was read later may tell the same
 * times, with another result or a wait less: it is made to end one nanosecond after the one before.
 */
export function inOrder(record: EncodedRecord, reached: Reached): EncodedRecord {
  const [root, ...others] = record.spans
  const name = JSON.stringify([record.dialect, record.key])
  const before = BigInt(reached[name] ?? 0)
  const told = record.spans.reduce((latest, { endTimeUnixNano: end }) => (end > latest ? end : latest), 0n)
  const end = told > before ? told : before + 1n
  if (isOver(stateOf(record))) delete reached[name]
  else if (isNamed(record)) reached[name] = String(end)
  if (!root || end === told) return record
  return { ...record, spans: [{ ...root, endTimeUnixNano: end }, ...others] }
}

/** The state of a record's plan; '' where none is told. */
export function stateOf({ spans: [root] }: EncodedRecord): string {
  const state = root?.attributes[ATTR.state]
  return typeof state === 'string' ? state : ''
}

/** Whether a record has a name by which another generation of it is known. */
const isNamed = ({ dialect }: EncodedRecord): boolean => dialect !== 'review-log'
