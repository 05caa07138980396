import type { Generation } from '../../mapping/index.js'
import { isOver } from '../../semconv/index.js'
import { querySql, type QueryTarget, readRows } from '../client/query.js'

/** An import of a record as the indexer has written it. */
export interface IndexedGeneration extends Generation {
  /** The dialect, source and key of the record. */
  readonly record: string
  readonly isSuperseded: boolean
}

/** Returns the identity of a record. */
export const recordId = (dialect: string, source: string, key: string): string => JSON.stringify([dialect, source, key])

/** Reads the imports of records by the records' keys. */
export async function readGenerations(target: QueryTarget, keys: readonly string[]): Promise<IndexedGeneration[]> {
  interface Row {
    traceId: string
    dialect: string
    source: string
    recordKey: string
    end: string
    state: string
    ended: boolean
    recordSpans: number
    mappingVersion: number
    redacted: boolean
    digest: string
    isSuperseded: boolean
  }
  const sql = querySql('record_generations', { database: target.database })
  return (await readRows<Row>(target, sql, { keys: [...keys] })).map(
    ({ dialect, source, recordKey, end, state, ended, ...row }) => ({
      ...row,
      record: recordId(dialect, source, recordKey),
      end: BigInt(end),
      isOver: ended && isOver(state),
    }),
  )
}
