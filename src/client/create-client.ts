import type {
  AnswerOf,
  ComparisonJson,
  ExportLine,
  FacetsJson,
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
import { exportLines, exportPieces, filePieces, viewPath } from './read-export.js'
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
} from './query-types.js'
import { parametersOf } from './query-types.js'
import { readRecord, type RebuiltRecord, type RecordOptions } from './read-record.js'
import { pathOf, type RecordId, type RecordRoute, recordRequest } from './record-request.js'
import type { ClientOptions } from './client-options.js'
import { type Asked, bodyOf, createTransport, jsonOf, type RequestOptions } from './transport.js'

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
      // Of each parameter one a plan, in their order.
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
      // It is told with any status.
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
