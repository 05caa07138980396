import { Hono, type Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { framingOf } from '../../mapping/index.js'
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
import {
  ASKING,
  FAULTS_CHOICE,
  MATCHES_CHOICE,
  PLACE_CHOICE,
  RECORD_CHOICE,
  SPAN_CHOICE,
  SPANS_CHOICE,
  targetOfPath,
  targetOfRequest,
  type RecordTarget,
} from './record-target.js'
import { taggedAnswer } from '../http/tagged-answer.js'

const CONTENT_TYPES = {
  none: 'application/json',
  lines: 'application/jsonl',
  sse: 'text/event-stream; charset=utf-8',
} as const

const JSON_HEADERS = { 'content-type': CONTENT_TYPES.none }

/** A record's exact bytes, structure, steps and spans, which of these hold a text, and what went wrong. */
export function recordsRoute(records: Records): Hono {
  const app = new Hono()

  const answerRecord = async (c: Context, { id, choice }: RecordTarget): Promise<Response> => {
    if (choice.fields === 'structure') {
      return taggedAnswer(c, await findStructure(records, id, choice, goneOf(c)), JSON_HEADERS)
    }
    if (choice.fields === 'outline') {
      return taggedAnswer(c, await findOutline(records, id, choice, goneOf(c)), JSON_HEADERS)
    }
    if (choice.fields === 'top') return taggedAnswer(c, await findTop(records, id, choice, goneOf(c)), JSON_HEADERS)
    if (choice.fields === 'verdict') {
      return taggedAnswer(c, await findVerdict(records, id, choice, goneOf(c)), JSON_HEADERS)
    }
    const record = await findRecord(records, id, choice, goneOf(c))
    return taggedAnswer(c, record, {
      'content-type': CONTENT_TYPES[framingOf(record.dialect) ?? 'none'],
      ...recordHeaders(record),
    })
  }
  const answerSpans = async (c: Context, { id, choice }: RecordTarget): Promise<Response> => {
    const { spanId } = choice
    const found =
      spanId === undefined
        ? await findSpans(records, id, choice, goneOf(c))
        : await findSpan(records, id, { choice, spanId: checkSpanId(spanId) }, goneOf(c))
    return taggedAnswer(c, found, JSON_HEADERS)
  }

  const answerFaults = async (c: Context, { id, choice }: RecordTarget): Promise<Response> => {
    const { limit = 50, offset = 0 } = choice
    return taggedAnswer(c, await findFaults(records, id, { choice, page: { limit, offset } }, goneOf(c)), JSON_HEADERS)
  }

  const answerMatches = async (c: Context, { id, choice }: RecordTarget): Promise<Response> => {
    const { text = '' } = choice
    return taggedAnswer(c, await findMatches(records, id, { choice, text }, goneOf(c)), JSON_HEADERS)
  }

  const answerSteps = async (c: Context, { id, choice }: RecordTarget): Promise<Response> =>
    taggedAnswer(c, await findSteps(records, id, choice, goneOf(c)), JSON_HEADERS)

  app.get('/api/records/:planId', (c) => answerRecord(c, targetOfPath(c, RECORD_CHOICE)))
  app.get('/api/records/:planId/spans', (c) => answerSpans(c, targetOfPath(c, SPANS_CHOICE)))
  app.get('/api/records/:planId/spans/matches', (c) => answerMatches(c, targetOfPath(c, MATCHES_CHOICE)))
  app.get('/api/records/:planId/spans/:spanId', (c) => {
    const { id, choice } = targetOfPath(c, SPAN_CHOICE)
    return answerSpans(c, { id, choice: { ...choice, spanId: c.req.param('spanId') } })
  })
  app.get('/api/records/:planId/faults', (c) => answerFaults(c, targetOfPath(c, FAULTS_CHOICE)))
  app.get('/api/records/:planId/steps', (c) => answerSteps(c, targetOfPath(c, PLACE_CHOICE)))
  app.on(ASKING, '/api/record', async (c) => answerRecord(c, await targetOfRequest(c, RECORD_CHOICE)))
  app.on(ASKING, '/api/record/spans', async (c) => answerSpans(c, await targetOfRequest(c, SPANS_CHOICE)))
  app.on(ASKING, '/api/record/spans/matches', async (c) => answerMatches(c, await targetOfRequest(c, MATCHES_CHOICE)))
  app.on(ASKING, '/api/record/faults', async (c) => answerFaults(c, await targetOfRequest(c, FAULTS_CHOICE)))
  app.on(ASKING, '/api/record/steps', async (c) => answerSteps(c, await targetOfRequest(c, PLACE_CHOICE)))

  return app
}

function checkSpanId(spanId: string): string {
  const lowerCase = spanId.toLowerCase()
  if (/^[\da-f]{16}$/.test(lowerCase)) return lowerCase
  throw new PlanspanError('usage', `${JSON.stringify(spanId)} is no span id, which has 16 hex digits.`)
}
