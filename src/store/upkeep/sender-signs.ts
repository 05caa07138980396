import { ATTR } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'

/** A service whose spans tell that something is wrong with what sends them. */
export interface SenderSign {
  readonly service: string
  /** Of the last day, with such a sign. */
  readonly spans: number
  /** How much later than now the latest of them ends, milliseconds; below 0 for none. */
  readonly aheadMs: number
  /** Spans that lack values, and how many they lack. */
  readonly incomplete: number
  readonly dropped: number
}

/** Spans are on their way for a while, and clocks are never quite the same. */
const TOLERANCE_MS = 1000

export const readSenderSigns = (target: QueryTarget): Promise<SenderSign[]> =>
  readRows(target, querySql('sender_signs', { database: target.database, dropped: ATTR.dropped }), {
    toleranceMs: TOLERANCE_MS,
  })
