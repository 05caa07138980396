import type { QueryTarget } from '../client/query.js'
import { readDisks, type StoreDisk } from './disks.js'
import { type IndexState, readIndexState } from './index-state.js'
import { type PartCount, readPartCounts } from './parts.js'
import { readSchemaDrift, type SchemaDrift } from './schema-drift.js'
import { readSenderSigns, type SenderSign } from './sender-signs.js'

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
