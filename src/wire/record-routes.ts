import { z } from 'zod'

import { CHAT_UNITS, WRITTEN_FORMATS } from '../mapping/index.js'
import { RECORD_HEADERS } from '../semconv/index.js'
import { faultsSchema } from './faults-schema.js'
import { booleanParameter, countParameter, offsetParameter } from './query-parameters.js'
import { problemSchema, FOUND, json, MISSING, TAGGED, type Answer, type RouteTable } from './route-table.js'
import { spanListSchema, spanMatchesSchema, spanSchema } from './span-schema.js'
import { stepsSchema } from './structure-schema.js'

const PLACE = {
  source: z
    .string()
    .exactOptional()
    .describe('The source of the import, to select one of several records with the same id.'),
  trace: z
    .string()
    .exactOptional()
    .describe('The trace of the record, to select one of several records with the same id.'),
}

const KIND = {
  kind: z
    .enum(['plan', 'step'])
    .exactOptional()
    .describe('Whether the id identifies a plan or a step. By default, plans are searched first.'),
}

const FORMAT = {
  format: z
    .enum(WRITTEN_FORMATS)
    .exactOptional()
    .describe('The dialect of the returned record; or chat, lines of training messages.'),
}

/** The unit of a line in the format chat. */
export const PER = z
  .enum(CHAT_UNITS)
  .exactOptional()
  .describe('With format=chat: one line per conversation, the default, or one per model call.')

/** Selects one of the records that share an id. */
export const PLACE_CHOICE = z.strictObject({ ...PLACE, ...KIND })

/** The parameters of a record: its format, and the trace or source from which it is rebuilt. */
export const RECORD_CHOICE = z.strictObject({
  ...FORMAT,
  per: PER,
  fields: z
    .enum(['structure', 'outline', 'top', 'verdict'])
    .exactOptional()
    .describe(
      'Instead of the record: structure, the tree of its spans without payloads; outline, the same with the steps of its ' +
        'plans; top, for a long record the outermost plans, plannings, agents and waits of the outline, for a shorter one ' +
        'no spans; verdict, the verdict with what is missing.',
    ),
  ...PLACE,
  ...KIND,
})
export const SPAN_EVENTS_CHOICE = z.strictObject({
  fields: z.literal('structure').exactOptional().describe('Spans without payloads, as in the structure.'),
  ...PLACE,
  ...KIND,
})

/** The parameters of a plan's spans. */
export const SPAN_CHOICE = z.strictObject({ ...FORMAT, ...PLACE, ...KIND })

/** The parameters of a plan's faults. */
export const FAULTS_CHOICE = z.strictObject({
  ...PLACE,
  ...KIND,
  limit: countParameter.exactOptional().describe('1 to 1000 items per list, 50 by default.'),
  offset: offsetParameter.exactOptional().describe('The number of items to skip in each list, 0 by default.'),
})
export const MATCHES_CHOICE = z.strictObject({
  ...PLACE,
  ...KIND,
  text: z
    .string()
    .min(1)
    .max(200)
    .describe('A text to find in names, messages and attribute values, ignoring case; at most 200 characters.'),
})

/** The parameters of an erasure. */
export const ERASE_CHOICE = z.strictObject({
  ...PLACE,
  running: booleanParameter.exactOptional().describe('Whether to erase a plan that has not ended.'),
  together: booleanParameter.exactOptional().describe('Whether to erase other plans of the same traces as well.'),
})

const HEADERS = Object.values(RECORD_HEADERS)
const RECORD: Answer = {
  description:
    'The record as it was imported, or in the requested dialect: JSON, lines of JSON, or an event stream. With fields=structure a Structure, with fields=outline or top an Outline, with fields=verdict a Verdict.',
  type: '*/*',
  headers: [...HEADERS, 'etag'],
}

export const RECORD_ROUTES = {
  'GET /api/records/{id}': {
    scope: 'read',
    client: ['record', 'structure', 'outline', 'top', 'verdict'],
    summary: 'Returns the record of a plan, or of an agent by the id of its step.',
    query: RECORD_CHOICE,
    answers: { 200: RECORD, ...TAGGED },
  },
  'DELETE /api/records/{id}': {
    scope: 'delete',
    client: ['erase'],
    summary: 'Erases a plan and all imports of its record.',
    query: ERASE_CHOICE,
    answers: {
      204: { description: 'The plan is erased from all tables.' },
      ...FOUND,
      403: {
        description: 'ClickHouse’s user may not erase, or a page of another origin sent the request.',
        schema: problemSchema,
      },
      404: MISSING,
      409: {
        description: 'The plan has not ended, or its traces hold other plans, which the detail names.',
        schema: problemSchema,
      },
    },
  },
  'GET /api/records/{id}/spans': {
    scope: 'read',
    client: ['spans'],
    summary: 'Returns the spans behind a record.',
    query: SPAN_CHOICE,
    answers: { 200: json('The spans.', spanListSchema, ['etag']), ...TAGGED },
  },
  'GET /api/records/{id}/spans/{spanId}': {
    scope: 'read',
    client: ['span'],
    summary: 'Returns one of the spans behind a record.',
    query: SPAN_CHOICE,
    answers: { 200: json('The span.', spanSchema, ['etag']), ...TAGGED },
  },
  'GET /api/records/{id}/spans/matches': {
    scope: 'read',
    client: ['search'],
    summary: 'Finds the spans behind a record that contain a text.',
    query: MATCHES_CHOICE,
    answers: { 200: json('The ids of the spans.', spanMatchesSchema, ['etag']), ...TAGGED },
  },
  'GET /api/records/{id}/spans/events': {
    scope: 'read',
    client: ['spanChanges', 'structureChanges'],
    summary: 'Streams the spans behind a record.',
    query: SPAN_EVENTS_CHOICE,
    answers: {
      200: {
        description:
          'Server-sent events: `span` with a new or changed Span, or with a SpanChange if fields=structure; `known` after each batch, with an id for Last-Event-ID.',
        type: 'text/event-stream',
      },
      204: { description: 'The client has all spans of a plan that has ended.' },
      ...FOUND,
      404: MISSING,
    },
  },
  'GET /api/records/{id}/faults': {
    scope: 'read',
    client: ['faults'],
    summary: 'Returns the failures behind a record with their paths, the unsafe actions, and the waits for people.',
    query: FAULTS_CHOICE,
    answers: { 200: json('The faults.', faultsSchema, ['etag']), ...TAGGED },
  },
  'GET /api/records/{id}/steps': {
    scope: 'read',
    client: ['steps'],
    summary: 'Returns the steps of the plans behind a record with their agents, and the versions, reviews and waits.',
    query: PLACE_CHOICE,
    answers: { 200: json('The steps.', stepsSchema, ['etag']), ...TAGGED },
  },
  'GET /api/records/{id}/events': {
    scope: 'read',
    client: ['events'],
    summary: 'Streams the events of a plan.',
    query: PLACE_CHOICE,
    answers: {
      200: {
        description: 'Server-sent events in ManusX’s format: the past events, then each new one.',
        type: 'text/event-stream',
        headers: HEADERS,
      },
      204: { description: 'The client has all events of a plan that has ended.', headers: HEADERS },
      ...FOUND,
      404: MISSING,
    },
  },
} as const satisfies RouteTable
