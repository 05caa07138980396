import { ATTR } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'

/** A service whose spans show a problem of their sender. */
export interface SenderSign {
  readonly service: string
  /** Spans of the last day that show it. */
  readonly spans: number
  /** How far in the future the latest span ends, milliseconds; negative if no span does. */
  readonly aheadMs: number
  /** Spans with dropped values, and the number of these values. */
  readonly incomplete: number
  readonly dropped: number
}

/** Tolerated difference of clocks. */
const TOLERANCE_MS = 1000

export const readSenderSigns = (target: QueryTarget): Promise<SenderSign[]> =>
  readRows(target, querySql('sender_signs', { database: target.database, dropped: ATTR.dropped }), {
    toleranceMs: TOLERANCE_MS,
  })
