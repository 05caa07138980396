import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { findPlaces, inPlaces } from '../records/trace-places.js'

/** A trace as a list of traces shows it. Times are nanoseconds since the Unix epoch. */
export interface TraceSummary {
  readonly traceId: string
  readonly rootService: string
  readonly rootName: string
  readonly start: bigint
  readonly end: bigint
  readonly spans: number
  readonly errors: number
  /** The number of spans whose parent is not stored. */
  readonly orphans: number
  readonly services: readonly ServiceShare[]
}

/** A service's part in a trace. */
export interface ServiceShare {
  readonly name: string
  readonly spans: number
  readonly errors: number
}

interface SummaryRow {
  traceId: string
  root: [service: string, name: string]
  start: string
  end: string
  spans: number
  errors: number
  orphans: number
  spansByService: Record<string, number | string>
  errorsByService: Record<string, number | string>
}

/** Summarizes traces, in the given order; a trace without any ended span has no summary. */
export async function summarizeTraces(target: QueryTarget, traceIds: readonly string[]): Promise<TraceSummary[]> {
  const places = await findPlaces(target, traceIds)
  if (places.length === 0) return []
  const sql = querySql('trace_summaries', { database: target.database, in_places: inPlaces(places) })
  const rows = await readRows<SummaryRow>(target, sql)
  const byId = new Map(rows.map((row) => [row.traceId, toSummary(row)]))
  return traceIds.flatMap((traceId) => byId.get(traceId) ?? [])
}

function toSummary({ root, start, end, spansByService, errorsByService, ...rest }: SummaryRow): TraceSummary {
  const [rootService, rootName] = root
  const services = Object.entries(spansByService).map(([name, spans]) => ({
    name,
    spans: Number(spans),
    errors: Number(errorsByService[name]),
  }))
  return { ...rest, rootService, rootName, start: BigInt(start), end: BigInt(end), services }
}
