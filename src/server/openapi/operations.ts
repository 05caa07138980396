import { z } from 'zod'

import { RECORD_HEADERS } from '../../semconv/index.js'
import { COMPARE_QUERY } from '../records/compare-route.js'
import { comparisonSchema } from '../json/comparison-json.js'
import { setsSchema } from '../json/sets-json.js'
import { SETS_QUERY } from '../lists/sets-route.js'
import { exportLineSchema, NDJSON } from '../json/export-line.js'
import { EXPORT_QUERY } from '../transfer/export-query.js'
import { ERASE_BY_ID, ERASE_CHOICE } from '../admin/erase-route.js'
import { faultsSchema } from '../json/faults-json.js'
import { SESSION_BODY, sessionSchema } from '../guard/session-route.js'
import { IMPORT_QUERY, importReportSchema, refusedImportSchema } from '../json/import-json.js'
import { FACETS_QUERY, facetsSchema, LIST_EVENTS_QUERY, LIST_QUERY, recordPageSchema } from '../lists/list-route.js'
import { problemSchema } from '../http/problem.js'
import {
  FAULTS_CHOICE,
  IDS,
  MATCHES_CHOICE,
  PLACE_CHOICE,
  RECORD_CHOICE,
  SPAN_CHOICE,
  SPAN_EVENTS_CHOICE,
  SPANS_CHOICE,
} from '../records/record-target.js'
import { spanMatchesSchema } from '../json/search-spans.js'
import { spanListSchema, spanSchema } from '../json/span-json.js'
import { stepsSchema } from '../json/steps-json.js'
import { SQL_BODY, sqlAnswerSchema } from '../lists/sql-route.js'
import { storageSchema, traceReadingSchema } from '../json/store-json.js'
import { PARQUET, VIEW_QUERY } from '../transfer/views-route.js'
import { outlineSchema, spanChangeSchema, structureSchema } from '../json/structure-json.js'
import { verdictSchema } from '../json/verdict-json.js'

/** An answer: JSON of a shape, or a text of a media type. */
export interface Answer {
  readonly description: string
  /** The JSON's shape; without one the answer is of the media type alone, or empty. */
  readonly schema?: z.ZodType
  readonly type?: string
  readonly headers?: readonly string[]
}

/** What can be asked of the server by a method at a path. */
export interface Operation {
  readonly path: string
  readonly method: 'get' | 'post' | 'delete'
  readonly summary: string
  readonly query?: z.ZodObject
  /** The parameters as JSON, which a POST takes instead of a query, and a DELETE in place of one. */
  readonly body?: z.ZodObject | string
  readonly answers: Readonly<Record<number, Answer>>
}

const healthSchema = z.looseObject({ status: z.enum(['alive', 'ready', 'unavailable']) })

const BAD: Answer = {
  description: 'A parameter is unknown or bad; it says which, and what is allowed.',
  schema: problemSchema,
}
const MISSING: Answer = { description: 'Nothing of the kind is stored.', schema: problemSchema }
const UNAVAILABLE: Answer = {
  description: 'The store does not answer or is busy. Ask again after Retry-After seconds.',
  schema: problemSchema,
  headers: ['retry-after'],
}
const NOTHING_NEW: Answer = { description: 'What If-None-Match names is what there is.', headers: ['etag'] }

const json = (description: string, schema: z.ZodType, headers: readonly string[] = []): Answer => ({
  description,
  schema,
  headers,
})
const found = { 400: BAD, 503: UNAVAILABLE }
const tagged = { ...found, 304: NOTHING_NEW, 404: MISSING }

const ERASED: Operation['answers'] = {
  204: { description: 'It is gone from all tables.' },
  400: BAD,
  403: { description: 'ClickHouse’s user may not erase, or a page of another origin asks.', schema: problemSchema },
  404: MISSING,
  409: { description: 'It is not over, or its traces hold other plans; it says which.', schema: problemSchema },
  503: UNAVAILABLE,
}

const HEADERS = Object.values(RECORD_HEADERS)
const RECORD: Answer = {
  description:
    'The record as it came in, or in the dialect that was asked for: JSON, lines of JSON, or an event stream. With fields=structure a Structure, with fields=outline or top an Outline, with fields=verdict a Verdict.',
  type: '*/*',
  headers: [...HEADERS, 'etag'],
}
const EVENTS: Answer = {
  description: 'Server-sent events in ManusX’s format: the past ones, then each as it happens.',
  type: 'text/event-stream',
  headers: HEADERS,
}
const OVER: Answer = { description: 'The client has had all events of a plan that is over.', headers: HEADERS }
const events = { 200: EVENTS, 204: OVER, 400: BAD, 404: MISSING, 503: UNAVAILABLE }

const SPAN_EVENTS: Answer = {
  description:
    'Server-sent events: `span`, whose data is a Span that is new or has changed, with fields=structure a SpanChange; `known` after each lot, whose id Last-Event-ID takes.',
  type: 'text/event-stream',
}
const NO_MORE: Answer = { description: 'The client has all spans of a plan that is over.' }
const spanEvents = { 200: SPAN_EVENTS, 204: NO_MORE, 400: BAD, 404: MISSING, 503: UNAVAILABLE }

const SPANS_OR_SPAN = json('All spans; with spanId that one, as a Span.', z.union([spanListSchema, spanSchema]), [
  'etag',
])

/** What a request asks that names its record beside the path. */
const beside = (
  path: string,
  summary: string,
  { query, answers }: { query: z.ZodObject; answers: Operation['answers'] },
): Operation[] => [
  { path, method: 'get', summary, query: query.extend(IDS), answers },
  { path, method: 'post', summary: `${summary} For ids that no URL can hold.`, body: query.extend(IDS), answers },
]

export const OPERATIONS: readonly Operation[] = [
  {
    path: '/api/records',
    method: 'get',
    summary: 'A page of plans.',
    query: LIST_QUERY,
    answers: { 200: json('The page.', recordPageSchema), ...found },
  },
  {
    path: '/api/records',
    method: 'post',
    summary: 'Imports a file of records of up to 64 MB.',
    query: IMPORT_QUERY,
    body: 'A file of records.',
    answers: {
      200: json('All are stored.', importReportSchema),
      207: json('Some are stored, others refused.', importReportSchema),
      400: json('Nothing is stored: parameters or records are bad.', z.union([refusedImportSchema, problemSchema])),
      408: json('Nothing is stored: it came too slowly.', z.union([refusedImportSchema, problemSchema])),
      413: json('Nothing is stored: it is too large.', z.union([refusedImportSchema, problemSchema])),
      503: UNAVAILABLE,
    },
  },
  {
    path: '/api/facets',
    method: 'get',
    summary: 'How many plans there are, and how many have each value.',
    query: FACETS_QUERY,
    answers: { 200: json('The counts.', facetsSchema), ...found },
  },
  {
    path: '/api/events',
    method: 'get',
    summary: 'What changes on the first page of a list.',
    query: LIST_EVENTS_QUERY,
    answers: {
      200: {
        description:
          'Server-sent events: `plan`, whose data is a Plan that is there, comes or changes; `gone`, whose data has the traceId and planId of one that leaves; `known` after each lot.',
        type: 'text/event-stream',
      },
      ...found,
    },
  },
  {
    path: '/api/export',
    method: 'get',
    summary: 'The records of a list, a line of JSON each, the newest first. What breaks off has no proper end.',
    query: EXPORT_QUERY,
    answers: {
      200: {
        description: 'A line a record, each an ExportLine.',
        type: NDJSON,
      },
      ...found,
    },
  },
  {
    path: '/api/views/{view}',
    method: 'get',
    summary: 'The rows that a view of SQL has of the plans of a list, as a Parquet file.',
    query: VIEW_QUERY,
    answers: { 200: { description: 'The file.', type: PARQUET }, ...found, 404: MISSING },
  },
  {
    path: '/api/compare',
    method: 'get',
    summary: 'What plans did, what came of it and what it took, the first beside each of the others.',
    query: COMPARE_QUERY,
    answers: { 200: json('The comparison.', comparisonSchema, ['etag']), ...tagged },
  },
  {
    path: '/api/compare/sets',
    method: 'get',
    summary: 'What the plans of several sets come to.',
    query: SETS_QUERY,
    answers: { 200: json('The sets.', setsSchema), ...found },
  },
  {
    path: '/api/records/{planId}',
    method: 'get',
    summary: 'A plan’s record, or that of an agent by its step.',
    query: RECORD_CHOICE,
    answers: { 200: RECORD, ...tagged },
  },
  {
    path: '/api/records/{planId}',
    method: 'delete',
    summary: 'Erases a plan, and all imports of its record.',
    query: ERASE_CHOICE,
    answers: ERASED,
  },
  {
    path: '/api/records/{planId}/spans',
    method: 'get',
    summary: 'The spans behind a record.',
    query: SPANS_CHOICE,
    answers: { 200: SPANS_OR_SPAN, ...tagged },
  },
  {
    path: '/api/records/{planId}/spans/{spanId}',
    method: 'get',
    summary: 'One of the spans behind a record.',
    query: SPAN_CHOICE,
    answers: { 200: json('The span.', spanSchema, ['etag']), ...tagged },
  },
  {
    path: '/api/records/{planId}/spans/matches',
    method: 'get',
    summary: 'Which of the spans behind a record hold a text.',
    query: MATCHES_CHOICE,
    answers: { 200: json('The ids.', spanMatchesSchema, ['etag']), ...tagged },
  },
  {
    path: '/api/records/{planId}/faults',
    method: 'get',
    summary: 'What failed behind a record and on which path, which actions were judged unsafe, and who was waited for.',
    query: FAULTS_CHOICE,
    answers: { 200: json('The faults.', faultsSchema, ['etag']), ...tagged },
  },
  {
    path: '/api/records/{planId}/steps',
    method: 'get',
    summary: 'The steps of the plans behind a record beside who worked on them, their versions, reviews and waits.',
    query: PLACE_CHOICE,
    answers: { 200: json('The steps.', stepsSchema, ['etag']), ...tagged },
  },
  {
    path: '/api/records/{planId}/spans/events',
    method: 'get',
    summary: 'The spans behind a record, live.',
    query: SPAN_EVENTS_CHOICE,
    answers: spanEvents,
  },
  {
    path: '/api/records/{planId}/events',
    method: 'get',
    summary: 'A plan’s events, live.',
    query: PLACE_CHOICE,
    answers: events,
  },
  ...beside('/api/record', 'A plan’s record by planId, or that of an agent by stepId.', {
    query: RECORD_CHOICE,
    answers: { 200: RECORD, ...tagged },
  }),
  {
    path: '/api/record',
    method: 'delete',
    summary: 'Erases a plan by planId, told in the query or, for ids that no URL can hold, as JSON.',
    query: ERASE_BY_ID.partial({ planId: true }),
    answers: ERASED,
  },
  ...beside('/api/record/spans', 'The spans behind a record, or one of them.', {
    query: SPANS_CHOICE,
    answers: { 200: SPANS_OR_SPAN, ...tagged },
  }),
  ...beside('/api/record/spans/matches', 'Which of the spans behind a record hold a text.', {
    query: MATCHES_CHOICE,
    answers: { 200: json('The ids.', spanMatchesSchema, ['etag']), ...tagged },
  }),
  ...beside('/api/record/faults', 'What went wrong behind a record.', {
    query: FAULTS_CHOICE,
    answers: { 200: json('The faults.', faultsSchema, ['etag']), ...tagged },
  }),
  ...beside('/api/record/steps', 'The steps of the plans behind a record.', {
    query: PLACE_CHOICE,
    answers: { 200: json('The steps.', stepsSchema, ['etag']), ...tagged },
  }),
  ...beside('/api/record/spans/events', 'The spans behind a record, live.', {
    query: SPAN_EVENTS_CHOICE,
    answers: spanEvents,
  }),
  ...beside('/api/record/events', 'A plan’s events, live.', { query: PLACE_CHOICE, answers: events }),
  {
    path: '/api/traces/{traceId}/reading',
    method: 'get',
    summary: 'What is made of each span of a trace, and why.',
    answers: { 200: json('The spans.', traceReadingSchema), 400: BAD, 404: MISSING, 503: UNAVAILABLE },
  },
  {
    path: '/api/sql',
    method: 'post',
    summary: 'The beginning of the answer to a query of yours, as ClickHouse’s read-only user.',
    body: SQL_BODY,
    answers: {
      200: json('The answer.', sqlAnswerSchema),
      400: {
        ...BAD,
        description: 'ClickHouse does not understand the query, or it takes too long or too much memory.',
      },
      403: json('Its user may not do that, or the server has no such user.', problemSchema),
      503: UNAVAILABLE,
    },
  },
  {
    path: '/api/storage',
    method: 'get',
    summary: 'On which disks the spans lie.',
    answers: { 200: json('The disks.', storageSchema), 503: UNAVAILABLE },
  },
  {
    path: '/api/session',
    method: 'get',
    summary: 'What a request is let in by.',
    answers: { 200: json('That.', sessionSchema) },
  },
  {
    path: '/api/session',
    method: 'post',
    summary: 'Takes a token for a cookie that is good for reading, for planspan’s own page.',
    body: SESSION_BODY,
    answers: {
      204: { description: 'The cookie.', headers: ['set-cookie'] },
      400: BAD,
      401: json('The token is none, or no longer.', problemSchema),
      403: json('The token is not for reading, or a page of another origin sent it.', problemSchema),
      404: json('The server asks for no token.', problemSchema),
      429: json('There are too many requests of the token. Ask again after Retry-After seconds.', problemSchema),
      503: UNAVAILABLE,
    },
  },
  {
    path: '/api/session',
    method: 'delete',
    summary: 'Takes the cookie away.',
    answers: {
      204: { description: 'It is.', headers: ['set-cookie'] },
      403: json('A page of another origin sent this.', problemSchema),
    },
  },
  {
    path: '/healthz',
    method: 'get',
    summary: 'Whether the process is alive.',
    answers: { 200: json('It is.', healthSchema) },
  },
  {
    path: '/readyz',
    method: 'get',
    summary: 'Whether the store answers and has planspan’s tables; with `layout` also how the spans lie.',
    answers: { 200: json('It does.', healthSchema), 503: json('It does not; `reason` says why.', healthSchema) },
  },
  {
    path: '/metrics',
    method: 'get',
    summary: 'Metrics of the server and of all model calls, for Prometheus; as OpenMetrics where that is accepted.',
    answers: { 200: { description: 'The metrics.', type: 'text/plain' } },
  },
]

/** What the document names and refers to. */
export const NAMED: Readonly<Record<string, z.ZodType>> = {
  RecordPage: recordPageSchema,
  Facets: facetsSchema,
  Comparison: comparisonSchema,
  PlanSets: setsSchema,
  ExportLine: exportLineSchema,
  Span: spanSchema,
  SpanList: spanListSchema,
  SpanMatches: spanMatchesSchema,
  Structure: structureSchema,
  Outline: outlineSchema,
  Verdict: verdictSchema,
  Faults: faultsSchema,
  Steps: stepsSchema,
  SpanChange: spanChangeSchema,
  TraceReading: traceReadingSchema,
  ImportReport: importReportSchema,
  RefusedImport: refusedImportSchema,
  SqlAnswer: sqlAnswerSchema,
  SpanStorage: storageSchema,
  Session: sessionSchema,
  Health: healthSchema,
  Problem: problemSchema,
}
