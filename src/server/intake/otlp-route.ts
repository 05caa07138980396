import { Hono, type Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { encodeResponse, type Encoding } from '../../otlp/index.js'
import {
  addRoute,
  answer,
  type BodyResult,
  CONTENT_TYPES,
  fail,
  peerOf,
  requestEncoding,
  retrySeconds,
  UNREAD_STATUS,
} from '../http/index.js'
import { takeRequest, wholeIntake, UNTAKEN_SIGNALS, type SpanIntake } from './span-intake.js'

/**
 * `POST /v1/traces` as specified by OTLP/HTTP (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Responds once the
 * spans are stored. Logs and metrics are answered with 404, as by other receivers without a use for them: some
 * exporters send again after any 5xx.
 */
export function otlpRoute(intake: SpanIntake): Hono {
  const whole = wholeIntake(intake)
  const { bodies, untaken, meter } = whole
  const app = new Hono()

  app.use('/v1/traces', async (c, next) => {
    await next()
    meter.answer('http', c.res.status)
  })

  addRoute(app, 'POST /v1/traces', async (c) => {
    const encoding = requestEncoding(c)
    if (!encoding) {
      const types = Object.values(CONTENT_TYPES).join(' or ')
      return fail(c, 'json', 415, `The Content-Type is ${c.req.header('content-type') ?? 'missing'}. Send ${types}.`)
    }
    try {
      // Checked before the body is read, so that a rejection costs little.
      intake.writer.check(encoding, Number(c.req.header('content-length') ?? 0))
      return await bodies.answer(c, (read) => store(c, encoding, read))
    } catch (error) {
      if (!(error instanceof PlanspanError)) throw error
      if (error.code === 'access_denied') return fail(c, encoding, 403, error.message)
      c.header('Retry-After', String(retrySeconds(error.code)))
      return fail(c, encoding, 503, error.message)
    }
  })

  async function store(c: Context, encoding: Encoding, read: BodyResult): Promise<Response> {
    if (!read.ok) return fail(c, encoding, UNREAD_STATUS[read.reason], read.message)
    const taken = await takeRequest(whole, encoding, read.body, { peer: peerOf(c), gone: c.req.raw.signal })
    if (!taken.ok) return fail(c, encoding, taken.isTooLarge ? 413 : 400, taken.message)
    return answer(c, encoding, 200, encodeResponse(encoding, taken.partial))
  }

  addRoute(app, 'ALL /v1/traces', (c) => {
    c.header('Allow', 'POST')
    return fail(c, requestEncoding(c) ?? 'json', 405, `${c.req.method} is not allowed here. Send spans with POST.`)
  })

  for (const signal of UNTAKEN_SIGNALS) {
    addRoute(app, `POST /v1/${signal}`, (c) => fail(c, requestEncoding(c) ?? 'json', 404, untaken.refuse(signal)))
  }

  return app
}
