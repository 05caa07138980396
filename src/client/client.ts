import type {
  ExportLine,
  ComparisonJson,
  FacetsJson,
  FaultsJson,
  ImportReport,
  OutlineJson,
  PlanJson,
  PlanView,
  Readiness,
  RecordPage,
  SetsJson,
  SpanJson,
  SpanList,
  SpanMatches,
  SpanReading,
  SqlAnswer,
  StepsJson,
  StorageReport,
  StructureJson,
  TraceReading,
  VerdictJson,
} from '../server/index.js'
import {
  type ListChange,
  listChanges,
  type PlanEvent,
  planEvents,
  type SpanChange,
  spanChanges,
  type StructureChange,
} from './changes.js'
import { notPlanspan } from './error.js'
import { exportLines, exportPieces, filePieces, viewPath } from './export.js'
import type { FeedOptions } from './feed.js'
import type {
  CompareQuery,
  EraseQuery,
  ExportQuery,
  FacetsQuery,
  FaultsQuery,
  ImportQuery,
  ListChangesQuery,
  ListQuery,
  PlaceQuery,
  RecordQuery,
  RecordTextQuery,
  SqlQuery,
  ViewQuery,
} from './query.js'
import { parametersOf } from './query.js'
import { askedOf, readRecord, type RebuiltRecord, type RecordId, type RecordOptions } from './record.js'
import type { ClientOptions } from './options.js'
import { bodyOf, createTransport, jsonOf, type RequestOptions } from './transport.js'

/** A plan that is compared, or an agent by its step; `trace` and `source` tell records apart that share the id. */
export interface ComparedId {
  readonly planId: string
  readonly trace?: string | undefined
  readonly source?: string | undefined
}

/** A file of records. */
export type RecordFile = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob

/**
 * The HTTP interface of a planspan server. Each method throws a ClientError where it fails, and the signal's reason
 * where the signal aborts.
 */
export interface Client {
  /** The server, without a slash at the end. */
  readonly endpoint: string

  /** A page of plans, the newest first unless told; `nextCursor` is the `cursor` of the next. */
  list(query?: ListQuery, options?: RequestOptions): Promise<RecordPage>
  /** The pages of a list, each asked for when it is wanted. */
  pages(query?: ListQuery, options?: RequestOptions): AsyncGenerator<RecordPage, void, undefined>
  /** The plans of a list, over all its pages. */
  plans(query?: ListQuery, options?: RequestOptions): AsyncGenerator<PlanJson, void, undefined>
  /** What changes in a list: its first lot is the list itself. Ends when the signal aborts. */
  listChanges(query?: ListChangesQuery, options?: FeedOptions): AsyncGenerator<ListChange, void, undefined>
  /** How many plans there are, and how many have each value. */
  facets(query?: FacetsQuery, options?: RequestOptions): Promise<FacetsJson>

  /** A plan's record, or that of an agent by its step; undefined if it is the one whose `etag` is told. */
  record(id: RecordId, query?: RecordTextQuery, options?: RequestOptions): Promise<RebuiltRecord>
  record(id: RecordId, query: RecordTextQuery | undefined, options: RecordOptions): Promise<RebuiltRecord | undefined>
  /** The tree of a record's spans without payloads. */
  structure(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<StructureJson>
  /** The same with the steps of the plans behind it, as `steps` tells them, in one reading. */
  outline(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<OutlineJson>
  /** Of a long outline, soon, what stands on top: outermost plans, plannings, agents, waits; else no spans. */
  top(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<OutlineJson>
  /** How true the record is, and what is missing at which span. */
  verdict(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<VerdictJson>
  /** The spans behind a record, in order of their start. */
  spans(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<readonly SpanJson[]>
  /** One of them. */
  span(id: RecordId, spanId: string, query?: RecordQuery, options?: RequestOptions): Promise<SpanJson>
  /** The ids of the spans behind a record that hold a text, in order of their start. */
  search(id: RecordId, text: string, query?: PlaceQuery, options?: RequestOptions): Promise<readonly string[]>
  /** What failed behind a record, which actions were judged unsafe, and who was waited for: a page of each list. */
  faults(id: RecordId, query?: FaultsQuery, options?: RequestOptions): Promise<FaultsJson>
  /** The steps of the plans behind a record beside who worked on them, and their versions, reviews and waits. */
  steps(id: RecordId, query?: PlaceQuery, options?: RequestOptions): Promise<StepsJson>
  /** The spans behind a record: those that are there, then each that comes or changes, until the plan is over. */
  spanChanges(id: RecordId, query?: PlaceQuery, options?: FeedOptions): AsyncGenerator<SpanChange, void, undefined>
  /** The same without payloads, as `structure` tells of them. */
  structureChanges(
    id: RecordId,
    query?: PlaceQuery,
    options?: FeedOptions,
  ): AsyncGenerator<StructureChange, void, undefined>
  /**
   * A plan's events in ManusX's format: the past ones, then each as it happens, until the plan is over or interrupted.
   * Returns the plan's state then; undefined if the signal aborts.
   */
  events(
    id: RecordId,
    query?: PlaceQuery,
    options?: FeedOptions,
  ): AsyncGenerator<PlanEvent, string | undefined, undefined>

  /**
   * The records of a list, each with its verdict, state and cursor. Throws where the stream breaks off: the `cursor` of
   * the last line is where another export goes on.
   */
  export(query?: ExportQuery, options?: RequestOptions): AsyncGenerator<ExportLine, void, undefined>
  /** The same as the server writes it, NDJSON in pieces, to pass on as it is. The signal lets go of it unread. */
  exportBytes(query?: ExportQuery, options?: RequestOptions): Promise<AsyncGenerator<Uint8Array, void, undefined>>
  /** The rows that a view of SQL has of the plans of a list, a Parquet file in pieces. */
  view(
    view: PlanView,
    query?: ViewQuery,
    options?: RequestOptions,
  ): Promise<AsyncGenerator<Uint8Array, void, undefined>>
  /** Imports a file of records of up to 64 MB. Of a refused one, the error's `problem` says which records are bad. */
  import(file: RecordFile, query?: ImportQuery, options?: RequestOptions): Promise<ImportReport>

  /** Erases a plan: all that is stored of it, its sub-plans and all imports of its record. */
  erase(planId: string, query?: EraseQuery, options?: RequestOptions): Promise<void>

  /** The beginning of the answer to a query in SQL, as ClickHouse's read-only user. */
  sql(query: SqlQuery, options?: RequestOptions): Promise<SqlAnswer>
  /** Two to eight plans side by side: what each did, what came of it and what it took; the first is the base. */
  compare(plans: readonly ComparedId[], query?: CompareQuery, options?: RequestOptions): Promise<ComparisonJson>
  /** What the plans of sets come to, each set by parameters of a list such as `workflow=a&since=2026-03-04`. */
  compareSets(sets: readonly string[], options?: RequestOptions): Promise<SetsJson>
  /** What the server makes of each span of a trace, and why. */
  traceReading(traceId: string, options?: RequestOptions): Promise<readonly SpanReading[]>
  /** On which disks the spans lie, and of which times they may be. */
  storage(options?: RequestOptions): Promise<StorageReport>
  /** Whether the server's store answers, and what it is; with `layout` also how the spans lie. */
  readiness(query?: { readonly layout?: boolean }, options?: RequestOptions): Promise<Readiness>
  /** The server's metrics and those of all model calls, in Prometheus' text. */
  metrics(options?: RequestOptions): Promise<string>
}

/** A client of the server at an endpoint. Throws a ClientError if that is no URL. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const { endpoint, json } = transport

  const list: Client['list'] = (query, options) => json<RecordPage>('/api/records', 'records', { query, ...options })
  async function* pages(query: ListQuery = {}, options?: RequestOptions): AsyncGenerator<RecordPage, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await list(cursor === undefined ? query : { ...query, cursor }, options)
      yield page
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
  }
  const record = (id: RecordId, query: RecordTextQuery = {}, options: RecordOptions = {}) =>
    readRecord(transport, id, { query, options })

  return {
    endpoint,
    list,
    pages,
    async *plans(query, options) {
      for await (const { records } of pages(query, options)) yield* records
    },
    listChanges: (query = {}, options = {}) => listChanges(transport, query, options),
    facets: (query, options) => json<FacetsJson>('/api/facets', 'facets', { query, ...options }),
    // Without an etag there is always one.
    record: record as Client['record'],
    structure: (id, query, options) => {
      const asked = askedOf(id, { query: { ...query, fields: 'structure' }, ...options })
      return json<StructureJson>('/api/record', 'spans', asked)
    },
    outline: (id, query, options) => {
      const asked = askedOf(id, { query: { ...query, fields: 'outline' }, ...options })
      return json<OutlineJson>('/api/record', 'spans', asked)
    },
    top: (id, query, options) => {
      const asked = askedOf(id, { query: { ...query, fields: 'top' }, ...options })
      return json<OutlineJson>('/api/record', 'spans', asked)
    },
    verdict: (id, query, options) => {
      const asked = askedOf(id, { query: { ...query, fields: 'verdict' }, ...options })
      return json<VerdictJson>('/api/record', 'verdict', asked)
    },
    async spans(id, query, options) {
      return (await json<SpanList>('/api/record/spans', 'spans', askedOf(id, { query, ...options }))).spans
    },
    span: (id, spanId, query, options) =>
      json<SpanJson>('/api/record/spans', 'spanId', askedOf(id, { query: { ...query, spanId }, ...options })),
    async search(id, text, query, options) {
      const asked = askedOf(id, { query: { ...query, text }, ...options })
      return (await json<SpanMatches>('/api/record/spans/matches', 'spans', asked)).spans
    },
    faults: (id, query, options) =>
      json<FaultsJson>('/api/record/faults', 'failures', askedOf(id, { query, ...options })),
    steps: (id, query, options) => json<StepsJson>('/api/record/steps', 'plans', askedOf(id, { query, ...options })),
    spanChanges: (id, query = {}, options = {}) => spanChanges(transport, { id, query }, options),
    structureChanges: (id, query = {}, options = {}) =>
      spanChanges(transport, { id, query: { ...query, fields: 'structure' } }, options),
    events: (id, query = {}, options = {}) => planEvents(transport, { id, query }, options),
    export: (query = {}, options = {}) => exportLines(transport, query, options),
    exportBytes: (query = {}, options = {}) => exportPieces(transport, query, options),
    view: (view, query = {}, { signal } = {}) => filePieces(transport, viewPath(view), { query, signal }),
    import: (file, query, options) =>
      json<ImportReport>('/api/records', 'records', { query, method: 'POST', body: file, ...options }),
    async erase(planId, query, options) {
      const asked = askedOf(planId, { query, ...options })
      const { status, body } = await transport.get('/api/record', { ...asked, method: 'DELETE', untimed: true })
      if (status === 204) return
      await body?.cancel()
      throw notPlanspan(endpoint, status)
    },
    compare: (plans, query = {}, options) => {
      // Of each parameter one a plan, in their order.
      const asked = new URLSearchParams(parametersOf(query))
      for (const { planId, trace = '', source = '' } of plans) {
        asked.append('id', planId)
        asked.append('trace', trace)
        asked.append('source', source)
      }
      return json<ComparisonJson>(`/api/compare?${asked.toString()}`, 'comparisons', options)
    },
    compareSets: (sets, options) => {
      const asked = new URLSearchParams(sets.map((set): [string, string] => ['set', set]))
      return json<SetsJson>(`/api/compare/sets?${asked.toString()}`, 'sets', options)
    },
    sql: (query, options) =>
      json<SqlAnswer>('/api/sql', 'columns', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(query),
        ...options,
      }),
    async traceReading(traceId, options) {
      const path = `/api/traces/${encodeURIComponent(traceId)}/reading`
      return (await json<TraceReading>(path, 'spans', options)).spans
    },
    storage: (options) => json<StorageReport>('/api/storage', 'disks', options),
    async readiness({ layout = false } = {}, options) {
      // It is told with any status.
      const response = await transport.ask('/readyz', { ...(layout && { query: { layout: '' } }), ...options })
      return jsonOf<Readiness>(endpoint, response, { key: 'planspan', asked: options })
    },
    async metrics(options) {
      const response = await transport.get('/metrics', options)
      const text = await bodyOf(endpoint, () => response.text(), options)
      if (text.startsWith('# TYPE planspan_')) return text
      throw notPlanspan(endpoint, response.status)
    },
  }
}
