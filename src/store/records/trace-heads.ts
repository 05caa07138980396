import type { Generation } from '../../mapping/index.js'
import { isOver, STATES } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { inPlaces, type TracePlace } from './trace-places.js'

/** The record that a trace was imported from: its dialect, source and key; '' for a live trace. */
export interface TraceRecord {
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
}

/** The properties by which one of several traces with the same id is chosen. */
export interface TraceHead extends TraceRecord, Generation {
  /** The earliest start of its spans, Unix nanoseconds. */
  readonly start: bigint
}

interface HeadRow extends Omit<TraceHead, 'start' | 'end' | 'redacted' | 'isOver'> {
  readonly start: string
  readonly end: string
  readonly redacted: 0 | 1
  readonly isOver: 0 | 1
}

const UNENDED = STATES.filter((state) => !isOver(state))

/** Reads the heads of traces from their rows. */
export async function readHeads(target: QueryTarget, places: readonly TracePlace[]): Promise<TraceHead[]> {
  if (places.length === 0) return []
  const query = querySql('trace_heads', { database: target.database, in_places: inPlaces(places) })
  const rows = await readRows<HeadRow>(target, query, { unended: UNENDED })
  return rows.map((row) => ({
    ...row,
    start: BigInt(row.start),
    end: BigInt(row.end),
    redacted: row.redacted === 1,
    isOver: row.isOver === 1,
  }))
}

const LIVE: TraceRecord = { dialect: '', source: '', recordKey: '' }

/** Reads which record a trace was imported from. */
export async function readRecord(target: QueryTarget, place: TracePlace): Promise<TraceRecord> {
  const query = querySql('record_of_trace', { database: target.database, in_places: inPlaces([place]) })
  const [record] = await readRows<TraceRecord>(target, query)
  return record ?? LIVE
}
