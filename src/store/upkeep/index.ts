import { ATTR } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { readDisks, readPartCounts, type StoreDisk, type PartCount } from './disks.js'
import { readIndexState, type IndexState } from './index-state.js'
import { readSchemaDrift, type SchemaDrift } from './schema-drift.js'

export { type BrokenPart, readBrokenParts } from './damage.js'
export { type IndexState, readIndexState } from './index-state.js'
export { readSchemaDrift, type SchemaDrift } from './schema-drift.js'

/** The state of a store's disks, parts, schema, senders and index. */
export interface Upkeep {
  readonly disks: readonly StoreDisk[]
  readonly parts: readonly PartCount[]
  readonly drift: SchemaDrift
  readonly senders: readonly SenderSign[]
  /** Undefined where tables of the indexer are missing. */
  readonly index: IndexState | undefined
}

/** Reads the state of a store. Throws `store_unreachable`, and `clickhouse_failed` for a user without the rights. */
export async function readUpkeep(target: QueryTarget): Promise<Upkeep> {
  const [disks, parts, drift, senders, index] = await Promise.all([
    readDisks(target),
    readPartCounts(target),
    readSchemaDrift(target),
    readSenderSigns(target),
    readIndexState(target),
  ])
  return { disks, parts, drift, senders, index }
}

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
