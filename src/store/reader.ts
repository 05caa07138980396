import type { ClickHouseClient } from '@clickhouse/client'

import type { ModelPrice } from '../mapping/index.js'
import type { StoredSpan } from '../semconv/index.js'
import {
  findAgentTraces,
  selectTrace,
  type AgentTracesOptions,
  type SelectedTrace,
  type SelectTraceOptions,
} from './records/select-trace.js'
import { sumPlans, type PlanTotals, type TotalsOptions } from './plans/sum-plans.js'
import { countFacets, type FacetsOptions, type PlanFacets } from './plans/count-facets.js'
import { listPlans, type ListPlansOptions, type PlanPage } from './plans/list-plans.js'
import type { PlanSelection } from './plans/plan-filters.js'
import type { QueryTarget } from './client/query.js'
import { readPrices } from './prices.js'
import { type RowsRead, streamOnlyTrace, streamRows, streamPlaces } from './records/read-rows.js'
import { readLinkedTraces } from './records/linked-traces.js'
import { collectSpans, collectTraces } from './records/read-spans.js'
import { streamView, type PlanView } from './plans/stream-view.js'
import { findTraces, type TraceKey, findPlacesOfKeys } from './records/trace-places.js'
import { traceProgress, type TraceProgress } from './records/trace-progress.js'

/** Reads spans and plans. A read-only user is enough. Errors: `store_unreachable`, `schema_mismatch`. */
export interface SpanReader {
  /** Reads no rows of the tables of lists and records. Throws `schema_mismatch` if one is missing. */
  checkTables(): Promise<void>
  /** Finds the traces that contain a key, newest first, to the second. */
  findTraces(key: TraceKey): Promise<string[]>
  /** Reads all spans of a trace, unordered, one per span id; snapshots are separate spans. */
  readTrace(traceId: string): Promise<StoredSpan[]>
  /** Reads several traces in one query; those that are not stored are left out. */
  readTraces(traceIds: readonly string[]): Promise<Map<string, StoredSpan[]>>
  /** Sums plans, in total and by the intervals in which they started. */
  sumPlans(options?: TotalsOptions): Promise<PlanTotals>
  /** Streams the rows of some traces' spans as ClickHouse writes them, by default whole; `readSpans` reads them. */
  streamRows(traceIds: readonly string[], read?: RowsRead): AsyncGenerator<Uint8Array, void, undefined>
  /** Streams the rows of the only trace with a plan or sub-plan; no rows if several traces have it. */
  streamOnlyTrace(planId: string): AsyncGenerator<Uint8Array, void, undefined>
  /** The progress of traces, without reading their spans; those that are not stored are left out. */
  traceProgress(traceIds: readonly string[]): Promise<Map<string, TraceProgress>>
  /** Selects the trace for a plan's id (or another id, by `kind`); undefined if no trace has it. */
  selectTrace(id: string, options?: SelectTraceOptions): Promise<SelectedTrace | undefined>
  /** Finds the traces of imported records with the agents of some steps: last generations only, newest first. */
  findAgentTraces(options: AgentTracesOptions): Promise<string[]>
  /** Reads a page of plan summaries; by default the newest start comes first. */
  listPlans(options?: ListPlansOptions): Promise<PlanPage>
  /** Reads the prices of models by their names. */
  modelPrices(): Promise<ReadonlyMap<string, ModelPrice>>
  /** Counts plans by their values. */
  countFacets(options?: FacetsOptions): Promise<PlanFacets>
  /** Streams the rows of a view that belong to plans as a Parquet file. */
  streamView(view: PlanView, selection?: PlanSelection): AsyncGenerator<Uint8Array, void, undefined>
}

/** Creates a reader of the spans in a database. */
export function createSpanReader(client: ClickHouseClient, options: Omit<QueryTarget, 'client'>): SpanReader {
  const target = { client, ...options }
  return {
    checkTables: () => checkTables(target),
    findTraces: (key) => findTraces(target, key),
    readTrace: (traceId) => collectSpans(streamRows(target, [traceId])),
    readTraces: (traceIds) => collectTraces(streamRows(target, traceIds)),
    streamRows: (traceIds, read) => streamRows(target, traceIds, read),
    streamOnlyTrace: (planId) => streamOnlyTrace(target, planId),
    traceProgress: (traceIds) => traceProgress(target, traceIds),
    selectTrace: (id, options) => selectTrace(target, id, options),
    findAgentTraces: (options) => findAgentTraces(target, options),
    listPlans: async (options = {}) => listPlans(target, await ofPlan(target, options)),
    modelPrices: async () => new Map((await readPrices(target)).map(({ model, price }) => [model, price])),
    countFacets: async (options = {}) => countFacets(target, await ofPlan(target, options)),
    sumPlans: async (options = {}) => sumPlans(target, await ofPlan(target, options)),
    streamView: async function* (view, selection = {}) {
      yield* streamView(target, view, await ofPlan(target, selection))
    },
  }
}

/** Replaces a trace in which a plan goes on with the plan's first trace. */
async function ofPlan<Selection extends PlanSelection>(target: QueryTarget, selection: Selection): Promise<Selection> {
  const { trace } = selection
  if (trace === undefined) return selection
  const linked = await readLinkedTraces(target, [trace])
  return { ...selection, trace: linked.get(trace)?.traceId ?? trace }
}

/** No span has an empty trace id. */
const NOWHERE = { traceId: '', hours: [0] }

/**
 * Queries the columns of the tables of lists and records without reading rows. Throws `schema_mismatch` if one is
 * missing or has other columns.
 */
async function checkTables({ client, url, database }: QueryTarget): Promise<void> {
  const target = { client, url, database }
  await Promise.all([
    findPlacesOfKeys(target, 'plan', ['']),
    readLinkedTraces(target, ['']),
    collectSpans(streamPlaces(target, [NOWHERE])),
    listPlans(target, { trace: '' }),
  ])
}
