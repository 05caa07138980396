import { Hono, type Context } from 'hono'
import type { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { framingOf, type DecodedRecord } from '../../mapping/index.js'
import { RECORD_HEADERS } from '../../semconv/index.js'
import { FAULTS_CHOICE, MATCHES_CHOICE, PLACE_CHOICE, RECORD_CHOICE, SPAN_CHOICE } from '../../wire/index.js'
import { recordIdOf } from '../../wire/record-path/index.js'
import { addRoute, pathParameter, taggedAnswer, readQuery } from '../http/index.js'
import {
  findFaults,
  findMatches,
  findOutline,
  findRecord,
  findSpan,
  findSpans,
  findSteps,
  findStructure,
  findTop,
  findVerdict,
  goneOf,
  type Records,
} from './find-record.js'

const CONTENT_TYPES = {
  none: 'application/json',
  lines: 'application/jsonl',
  sse: 'text/event-stream; charset=utf-8',
} as const

const JSON_HEADERS = { 'content-type': CONTENT_TYPES.none }

/** What `fields` returns instead of the record. */
const PARTS = { structure: findStructure, outline: findOutline, top: findTop, verdict: findVerdict } as const

/** The bytes of a record, and its structure, steps, spans, matches and faults. */
export function recordsRoute(records: Records): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/records/{id}', async (c) => {
    const { id, choice } = readTarget(c, RECORD_CHOICE)
    if (choice.fields) return jsonAnswer(c, await PARTS[choice.fields](records, id, choice, goneOf(c)))
    const record = await findRecord(records, id, choice, goneOf(c))
    return taggedAnswer(c, record, {
      'content-type': CONTENT_TYPES[framingOf(record.dialect) ?? 'none'],
      ...recordHeaders(record),
    })
  })

  addRoute(app, 'GET /api/records/{id}/spans', async (c) => {
    const { id, choice } = readTarget(c, SPAN_CHOICE)
    return jsonAnswer(c, await findSpans(records, id, choice, goneOf(c)))
  })

  addRoute(app, 'GET /api/records/{id}/spans/matches', async (c) => {
    const { id, choice } = readTarget(c, MATCHES_CHOICE)
    return jsonAnswer(c, await findMatches(records, id, { choice, text: choice.text }, goneOf(c)))
  })

  addRoute(app, 'GET /api/records/{id}/spans/{spanId}', async (c) => {
    const { id, choice } = readTarget(c, SPAN_CHOICE)
    const spanId = checkSpanId(pathParameter(c, 'spanId'))
    return jsonAnswer(c, await findSpan(records, id, { choice, spanId }, goneOf(c)))
  })

  addRoute(app, 'GET /api/records/{id}/faults', async (c) => {
    const { id, choice } = readTarget(c, FAULTS_CHOICE)
    const { limit = 50, offset = 0 } = choice
    return jsonAnswer(c, await findFaults(records, id, { choice, page: { limit, offset } }, goneOf(c)))
  })

  addRoute(app, 'GET /api/records/{id}/steps', async (c) => {
    const { id, choice } = readTarget(c, PLACE_CHOICE)
    return jsonAnswer(c, await findSteps(records, id, choice, goneOf(c)))
  })

  return app
}

const jsonAnswer = (c: Context, body: Parameters<typeof taggedAnswer>[1]): Response =>
  taggedAnswer(c, body, JSON_HEADERS)

function checkSpanId(spanId: string): string {
  const lowerCase = spanId.toLowerCase()
  if (/^[\da-f]{16}$/.test(lowerCase)) return lowerCase
  throw new PlanspanError('usage', `${JSON.stringify(spanId)} is not a span id, which has 16 hex digits.`)
}

/** Clients accept about 16 kB of headers in total. */
const MAX_LIST_LENGTH = 4_000

/** The headers of a rebuilt record. */
export function recordHeaders({
  verdict,
  state,
  dialect,
  traceId,
  missing,
  leftOut,
}: Pick<DecodedRecord, 'verdict' | 'state' | 'dialect' | 'traceId' | 'missing' | 'leftOut'>): Record<string, string> {
  return {
    [RECORD_HEADERS.verdict]: verdict,
    [RECORD_HEADERS.state]: state,
    [RECORD_HEADERS.dialect]: dialect,
    [RECORD_HEADERS.trace]: traceId,
    ...(missing.length === 0
      ? {}
      : { [RECORD_HEADERS.missing]: String(missing.length), [RECORD_HEADERS.missingList]: asciiList(missing) }),
    ...(leftOut.length > 0 && { [RECORD_HEADERS.leftOut]: JSON.stringify(leftOut) }),
  }
}

function asciiList(items: readonly string[]): string {
  const written: string[] = []
  let length = 0
  for (const item of items) {
    const text = toAscii(JSON.stringify(item))
    length += text.length + 1
    if (length > MAX_LIST_LENGTH) break
    written.push(text)
  }
  return `[${written.join(',')}]`
}

const toAscii = (json: string): string =>
  json.replaceAll(/[^\u0020-\u007E]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Reads the id and the query of a request for a record. Throws `usage` for a malformed id or query. */
export const readTarget = <Schema extends z.ZodObject>(
  c: Context,
  schema: Schema,
): { readonly id: string; readonly choice: z.output<Schema> } => ({ id: readId(c), choice: readQuery(c, schema) })

function readId(c: Context): string {
  const segment = pathParameter(c, 'id')
  const id = recordIdOf(segment)
  if (id !== undefined) return id
  throw new PlanspanError(
    'usage',
    `${JSON.stringify(segment)} is malformed. Behind the ~, an id is written in base64url of its UTF-8 form: ~YS9i is "a/b".`,
  )
}

const TRACE_ID = /^[\da-f]{32}$/

/** Explains how planspan interprets each span of a trace. */
export function traceRoute({ reader, rebuilder }: Records): Hono {
  const app = new Hono()
  addRoute(app, 'GET /api/traces/{traceId}/reading', async (c) => {
    const traceId = pathParameter(c, 'traceId').toLowerCase()
    if (!TRACE_ID.test(traceId)) {
      throw new PlanspanError('usage', `${JSON.stringify(traceId)} is not a trace id, which has 32 hex digits.`)
    }
    // A trace in which a plan goes on is explained with the traces before it.
    const trace = await reader.selectTrace(traceId)
    if (!trace) throw new PlanspanError('not_found', `No trace ${traceId} is stored.`)
    const { body } = await rebuilder.run('reading', { traceId: trace.traceId }, goneOf(c))
    return c.body(body, 200, { 'content-type': 'application/json' })
  })
  return app
}
