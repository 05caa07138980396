import type {
  AnswerOf,
  CheckLine,
  ComparisonJson,
  ExportLine,
  FacetsJson,
  TotalsJson,
  FaultsJson,
  ImportReport,
  OutlineJson,
  PlanJson,
  PlanView,
  Readiness,
  RecordPage,
  RouteName,
  SetsJson,
  SpanJson,
  SpanReading,
  SqlAnswer,
  StepsJson,
  StorageReport,
  StructureJson,
  TraceReading,
  VerdictJson,
} from '../wire/index.js'
import {
  type ListChange,
  listChanges,
  type PlanEvent,
  planEvents,
  type SpanChange,
  spanChanges,
  type StructureChange,
} from './changes.js'
import { notPlanspan } from './request-error.js'
import { checkLines, exportLines, exportPieces, filePieces, viewPath } from './read-export.js'
import type { FeedOptions } from './feed.js'
import type {
  CheckBody,
  CompareQuery,
  EraseQuery,
  ExportQuery,
  FacetsQuery,
  TotalsQuery,
  FaultsQuery,
  ImportQuery,
  ListChangesQuery,
  ListQuery,
  PlaceQuery,
  RecordQuery,
  RecordTextQuery,
  SqlQuery,
  ViewQuery,
} from './query-types.js'
import { parametersOf } from './query-types.js'
import { readRecord, type RebuiltRecord, type RecordOptions } from './read-record.js'
import { pathOf, type RecordId, type RecordRoute, recordRequest } from './record-request.js'
import { bodyOf, createTransport, jsonOf, type ClientOptions, type Asked, type RequestOptions } from './transport.js'

/** A plan to compare, or an agent by its step; `trace` and `source` distinguish records with the same id. */
export interface ComparedId {
  readonly planId: string
  readonly trace?: string | undefined
  readonly source?: string | undefined
}

/** A file of records. */
export type RecordFile = string | Uint8Array<ArrayBuffer> | ArrayBuffer | Blob

/**
 * The HTTP interface of a planspan server. Each method throws a ClientError if it fails, and the signal's reason if the
 * signal aborts.
 */
export interface Client {
  /** The server's URL, without a trailing slash. */
  readonly endpoint: string

  /** Returns a page of plans, newest first by default; `nextCursor` is the `cursor` of the next page. */
  list(query?: ListQuery, options?: RequestOptions): Promise<RecordPage>
  /** Yields the pages of a list, each requested on demand. */
  pages(query?: ListQuery, options?: RequestOptions): AsyncGenerator<RecordPage, void, undefined>
  /** Yields the plans of a list, over all its pages. */
  plans(query?: ListQuery, options?: RequestOptions): AsyncGenerator<PlanJson, void, undefined>
  /** Yields the changes of a list; the first batch is the list itself. Ends when the signal aborts. */
  listChanges(query?: ListChangesQuery, options?: FeedOptions): AsyncGenerator<ListChange, void, undefined>
  /** Counts the plans, in total and by value. */
  facets(query?: FacetsQuery, options?: RequestOptions): Promise<FacetsJson>
  /** Returns the totals of plans, and their course over time. */
  totals(query?: TotalsQuery, options?: RequestOptions): Promise<TotalsJson>

  /** Returns the record of a plan, or of an agent by its step; undefined if its etag is still `ifNoneMatch`. */
  record(id: RecordId, query?: RecordTextQuery, options?: RequestOptions): Promise<RebuiltRecord>
  record(id: RecordId, query: RecordTextQuery | undefined, options: RecordOptions): Promise<RebuiltRecord | undefined>
  /** Returns the tree of a record's spans, without payloads. */
  structure(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<StructureJson>
  /** Returns the same with the steps of its plans, like `steps`, in one read. */
  outline(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<OutlineJson>
  /** Returns the top of a long outline quickly: outermost plans, plannings, agents, waits; else no spans. */
  top(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<OutlineJson>
  /** Returns the verdict on a record, and what is missing at which span. */
  verdict(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<VerdictJson>
  /** Returns the spans of a record, in order of their start. */
  spans(id: RecordId, query?: RecordQuery, options?: RequestOptions): Promise<readonly SpanJson[]>
  /** Returns one span of a record. */
  span(id: RecordId, spanId: string, query?: RecordQuery, options?: RequestOptions): Promise<SpanJson>
  /** Returns the ids of a record's spans that contain a text, in order of their start. */
  search(id: RecordId, text: string, query?: PlaceQuery, options?: RequestOptions): Promise<readonly string[]>
  /** Returns the failures, unsafe actions and waits of a record: a page of each list. */
  faults(id: RecordId, query?: FaultsQuery, options?: RequestOptions): Promise<FaultsJson>
  /** Returns the steps of a record's plans, their agents, and the versions, reviews and waits. */
  steps(id: RecordId, query?: PlaceQuery, options?: RequestOptions): Promise<StepsJson>
  /** Yields the spans of a record: existing spans, then each that appears or changes, until the plan is over. */
  spanChanges(id: RecordId, query?: PlaceQuery, options?: FeedOptions): AsyncGenerator<SpanChange, void, undefined>
  /** Yields the same without payloads, like `structure`. */
  structureChanges(
    id: RecordId,
    query?: PlaceQuery,
    options?: FeedOptions,
  ): AsyncGenerator<StructureChange, void, undefined>
  /**
   * Yields a plan's events in ManusX's format: past events, then each as it happens, until the plan is over or
   * interrupted. Returns the plan's state; undefined if the signal aborts.
   */
  events(
    id: RecordId,
    query?: PlaceQuery,
    options?: FeedOptions,
  ): AsyncGenerator<PlanEvent, string | undefined, undefined>

  /**
   * Yields the records of a list, each with its verdict, state and cursor. Throws if the stream breaks off; the
   * `cursor` of the last line continues the export.
   */
  export(query?: ExportQuery, options?: RequestOptions): AsyncGenerator<ExportLine, void, undefined>
  /** Returns the same as the server's NDJSON in chunks, to pass on. The signal closes it. */
  exportBytes(query?: ExportQuery, options?: RequestOptions): Promise<AsyncGenerator<Uint8Array, void, undefined>>
  /** Yields the findings of rules in the plans of a list or, with `ids`, in these plans. Throws as `export` does. */
  check(body: CheckBody, query?: ViewQuery, options?: RequestOptions): AsyncGenerator<CheckLine, void, undefined>
  /** Returns the rows of some plans in an SQL view, as a Parquet file in chunks. */
  view(
    view: PlanView,
    query?: ViewQuery,
    options?: RequestOptions,
  ): Promise<AsyncGenerator<Uint8Array, void, undefined>>
  /** Imports a file of records of up to 64 MB. If it is rejected, the error's `problem` lists the invalid records. */
  import(file: RecordFile, query?: ImportQuery, options?: RequestOptions): Promise<ImportReport>

  /** Erases a plan: all its data, its sub-plans and all imports of its record. */
  erase(planId: string, query?: EraseQuery, options?: RequestOptions): Promise<void>

  /** Returns the first rows of an SQL query, run as ClickHouse's read-only user. */
  sql(query: SqlQuery, options?: RequestOptions): Promise<SqlAnswer>
  /** Compares two to eight plans: actions, results and cost; the first is the base. */
  compare(plans: readonly ComparedId[], query?: CompareQuery, options?: RequestOptions): Promise<ComparisonJson>
  /**
   * Compares sets of plans by their totals; each set is given by list parameters such as `workflow=a&since=2026-03-04`.
   */
  compareSets(sets: readonly string[], options?: RequestOptions): Promise<SetsJson>
  /** Returns how the server reads each span of a trace, and why. */
  traceReading(traceId: string, options?: RequestOptions): Promise<readonly SpanReading[]>
  /** Returns the disks that store the spans, and the accepted span times. */
  storage(options?: RequestOptions): Promise<StorageReport>
  /**
   * Returns whether the server's store is ready, and its properties; with `layout` also the sort order of the spans.
   */
  readiness(query?: { readonly layout?: boolean }, options?: RequestOptions): Promise<Readiness>
  /** Returns the metrics of the server, in Prometheus' text format. */
  metrics(options?: RequestOptions): Promise<string>
}

/** Creates a client of the server at an endpoint. Throws a ClientError for an invalid URL. */
export function createClient(options: ClientOptions): Client {
  const transport = createTransport(options)
  const { endpoint } = transport
  const json = <Name extends RouteName>(route: Name, key: keyof AnswerOf<Name> & string, asked?: Asked) =>
    transport.json<AnswerOf<Name>>(pathOf(route), key, { method: methodOf(route), ...asked })
  /** The method of a record's route. `fields` selects one of the forms that the route returns. */
  const ofRecord =
    <Name extends RecordRoute, Answer = AnswerOf<Name>>(route: Name, key: keyof Answer & string, fields?: string) =>
    (id: RecordId, query?: object, options?: RequestOptions): Promise<Answer> => {
      const [path, asked] = recordRequest(route, id, { query: { ...query, fields }, ...options })
      return transport.json<Answer>(path, key, asked)
    }
  const spans = ofRecord('GET /api/records/{id}/spans', 'spans')
  const matches = ofRecord('GET /api/records/{id}/spans/matches', 'spans')

  const list: Client['list'] = (query, options) => json('GET /api/records', 'records', { query, ...options })
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
    facets: (query, options) => json('GET /api/facets', 'facets', { query, ...options }),
    totals: (query, options) => json('GET /api/totals', 'course', { query, ...options }),
    // Without an etag there is always one.
    record: record as Client['record'],
    structure: ofRecord<typeof RECORD, StructureJson>(RECORD, 'spans', 'structure'),
    outline: ofRecord<typeof RECORD, OutlineJson>(RECORD, 'spans', 'outline'),
    top: ofRecord<typeof RECORD, OutlineJson>(RECORD, 'spans', 'top'),
    verdict: ofRecord<typeof RECORD, VerdictJson>(RECORD, 'verdict', 'verdict'),
    spans: async (...asked) => (await spans(...asked)).spans,
    span: (id, spanId, query, options) => {
      const parameters = { spanId: encodeURIComponent(spanId) }
      const [path, asked] = recordRequest('GET /api/records/{id}/spans/{spanId}', id, { query, ...options }, parameters)
      return transport.json<SpanJson>(path, 'spanId', asked)
    },
    search: async (id, text, query, options) => (await matches(id, { ...query, text }, options)).spans,
    faults: ofRecord('GET /api/records/{id}/faults', 'failures'),
    steps: ofRecord('GET /api/records/{id}/steps', 'plans'),
    spanChanges: (id, query = {}, options = {}) => spanChanges(transport, { id, query }, options),
    structureChanges: (id, query = {}, options = {}) =>
      spanChanges(transport, { id, query: { ...query, fields: 'structure' } }, options),
    events: (id, query = {}, options = {}) => planEvents(transport, { id, query }, options),
    export: (query = {}, options = {}) => exportLines(transport, query, options),
    exportBytes: (query = {}, options = {}) => exportPieces(transport, query, options),
    check: (body, query = {}, options = {}) => checkLines(transport, body, { query, ...options }),
    view: (view, query = {}, { signal } = {}) => filePieces(transport, viewPath(view), { query, signal }),
    import: (file, query, options) => json('POST /api/records', 'records', { query, body: file, ...options }),
    async erase(planId, query, options) {
      const [path, asked] = recordRequest('DELETE /api/records/{id}', planId, { query, ...options })
      const { status, body } = await transport.get(path, { ...asked, method: 'DELETE', untimed: true })
      if (status === 204) return
      await body?.cancel()
      throw notPlanspan(endpoint, status)
    },
    compare: (plans, query = {}, options) => {
      // Each parameter is repeated for each plan, in order.
      const asked = new URLSearchParams(parametersOf(query))
      for (const { planId, trace = '', source = '' } of plans) {
        asked.append('id', planId)
        asked.append('trace', trace)
        asked.append('source', source)
      }
      return transport.json<ComparisonJson>(`${pathOf('GET /api/compare')}?${asked.toString()}`, 'comparisons', options)
    },
    compareSets: (sets, options) => {
      const asked = new URLSearchParams(sets.map((set): [string, string] => ['set', set]))
      return transport.json<SetsJson>(`${pathOf('GET /api/compare/sets')}?${asked.toString()}`, 'sets', options)
    },
    sql: (query, options) =>
      json('POST /api/sql', 'columns', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(query),
        ...options,
      }),
    async traceReading(traceId, options) {
      const path = pathOf('GET /api/traces/{traceId}/reading', { traceId: encodeURIComponent(traceId) })
      return (await transport.json<TraceReading>(path, 'spans', options)).spans
    },
    storage: (options) => json('GET /api/storage', 'disks', options),
    async readiness({ layout = false } = {}, options) {
      // The server reports its readiness with any status.
      const response = await transport.ask(pathOf('GET /readyz'), {
        ...(layout && { query: { layout: '' } }),
        ...options,
      })
      return jsonOf<Readiness>(endpoint, response, { key: 'planspan', asked: options })
    },
    async metrics(options) {
      const response = await transport.get(pathOf('GET /metrics'), options)
      const text = await bodyOf(endpoint, () => response.text(), options)
      if (text.startsWith('# TYPE planspan_')) return text
      throw notPlanspan(endpoint, response.status)
    },
  }
}

const RECORD = 'GET /api/records/{id}'

const methodOf = (route: RouteName): 'GET' | 'POST' => (route.startsWith('POST ') ? 'POST' : 'GET')
