import { Hono, type Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { framingOf } from '../../mapping/index.js'
import { FAULTS_CHOICE, MATCHES_CHOICE, PLACE_CHOICE, RECORD_CHOICE, SPAN_CHOICE } from '../../wire/index.js'
import { addRoute, pathParameter, taggedAnswer } from '../http/index.js'
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
import { recordHeaders } from './record-headers.js'
import { readTarget } from './record-target.js'

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
