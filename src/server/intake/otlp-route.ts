import { Hono, type Context } from 'hono'

import { PlanspanError } from '../../error.js'
import { encodeResponse, SIGNALS, type Encoding, type Signal } from '../../otlp/index.js'
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
import { takeRequest, wholeIntake, type SpanIntake } from './span-intake.js'

/**
 * `POST /v1/traces`, `/v1/logs` and `/v1/metrics` as specified by OTLP/HTTP
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp). Responds once the spans or logs are stored. Metrics are not
 * stored: the response rejects all of their data points, after which no sender tries again.
 */
export function otlpRoute(intake: SpanIntake): Hono {
  const whole = wholeIntake(intake)
  const { bodies, meter, writer } = whole
  const app = new Hono()

  app.use('/v1/traces', async (c, next) => {
    await next()
    meter.answer('http', c.res.status)
  })

  const receive = async (c: Context, signal: Signal): Promise<Response> => {
    const encoding = requestEncoding(c)
    if (!encoding) {
      const types = Object.values(CONTENT_TYPES).join(' or ')
      return fail(c, 'json', 415, `The Content-Type is ${c.req.header('content-type') ?? 'missing'}. Send ${types}.`)
    }
    try {
      // Checked before the body is read, so that a rejection costs little.
      if (signal !== 'metrics') writer.check({ signal, encoding }, Number(c.req.header('content-length') ?? 0))
      return await bodies.answer(c, (read) => store(c, { signal, encoding, read }))
    } catch (error) {
      if (!(error instanceof PlanspanError)) throw error
      if (error.code === 'access_denied') return fail(c, encoding, 403, error.message)
      c.header('Retry-After', String(retrySeconds(error.code)))
      return fail(c, encoding, 503, error.message)
    }
  }

  async function store(c: Context, { signal, encoding, read }: ReadRequest): Promise<Response> {
    if (!read.ok) return fail(c, encoding, UNREAD_STATUS[read.reason], read.message)
    const sender = { peer: peerOf(c), gone: c.req.raw.signal }
    const taken = await takeRequest(whole, { signal, encoding, body: read.body }, sender)
    if (!taken.ok) return fail(c, encoding, taken.isTooLarge ? 413 : 400, taken.message)
    return answer(c, encoding, 200, encodeResponse(encoding, signal, taken.partial))
  }

  for (const signal of SIGNALS) {
    addRoute(app, `POST /v1/${signal}`, (c) => receive(c, signal))
    addRoute(app, `ALL /v1/${signal}`, (c) => {
      c.header('Allow', 'POST')
      return fail(
        c,
        requestEncoding(c) ?? 'json',
        405,
        `${c.req.method} is not allowed here. Send ${signal} with POST.`,
      )
    })
  }

  return app
}

interface ReadRequest {
  readonly signal: Signal
  readonly encoding: Encoding
  readonly read: BodyResult
}
