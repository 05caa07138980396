import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Span } from '../../src/semconv/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { startReceiver, type Answer } from '../tracing/otlp-receiver.js'

let receiver: Awaited<ReturnType<typeof startReceiver>> | undefined
afterEach(async () => receiver?.close())

const listen = async (answer?: (count: number) => Answer) => (receiver = await startReceiver(answer))

const span = (parts: Partial<Span> = {}): Span => ({
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  parentSpanId: '',
  name: 'invoke_workflow',
  kind: 'INTERNAL',
  startTimeUnixNano: 1_700_000_000_123_456_789n,
  endTimeUnixNano: 1_700_000_000_123_456_790n,
  statusCode: 'UNSET',
  statusMessage: '',
  attributes: {},
  events: [],
  links: [],
  ...parts,
})

describe('sending', () => {
  test('posts gzipped OTLP/JSON with headers, resource and scope', async () => {
    const { url, requests } = await listen()
    const result = await createSpanSender({ url, headers: { authorization: 'x' } }).send([span()])
    expect(result).toEqual({ accepted: 1, rejected: 0, reasons: [] })
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'x',
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    })
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'planspan-import' } }] },
          scopeSpans: [{ scope: { name: 'planspan' }, spans: [{ name: 'invoke_workflow' }] }],
        },
      ],
    })
  })

  test('sends nothing for no spans', async () => {
    const { url, requests } = await listen()
    expect(await createSpanSender({ url }).send([])).toEqual({ accepted: 0, rejected: 0, reasons: [] })
    expect(requests).toEqual([])
  })

  test('adds up the spans of partial successes', async () => {
    const { url } = await listen((count) =>
      count === 1 ? { body: { partialSuccess: { rejectedSpans: '1', errorMessage: 'bad id' } } } : {},
    )
    const spans = [span(), span(), span()]
    const sender = createSpanSender({ url, maxRequestBytes: 1 })
    expect(await sender.send(spans)).toEqual({ accepted: 2, rejected: 1, reasons: ['bad id'] })
  })

  test('masks secrets only on request', async () => {
    const { url, requests } = await listen()
    const secret = span({
      attributes: { 'gen_ai.tool.call.arguments': '{"password":"hunter2"}' },
      statusMessage: 'pwd=hunter2',
    })
    await createSpanSender({ url }).send([secret])
    await createSpanSender({ url, redact: {} }).send([secret])
    expect(requests[0]?.body).toContain('hunter2')
    expect(requests[1]?.body).not.toContain('hunter2')
    expect(requests[1]?.body).toContain(
      '"planspan.redacted_fields","value":{"arrayValue":{"values":[{"stringValue":"status.message"',
    )
  })

  test('keeps every request within the limit, except a single larger span, and loses no span', async () => {
    const { url, requests } = await listen()
    const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000, size: 'max' }), fc.string({ maxLength: 10 }))
    const law = fc.asyncProperty(fc.array(texts, { maxLength: 12 }), async (values) => {
      requests.length = 0
      const sender = createSpanSender({ url, maxRequestBytes: 4_000, serviceName: 'ünï' })
      const spans = values.map((value, index) => span({ name: `n${index}`, attributes: { value } }))
      const { accepted } = await sender.send(spans)
      const names = requests.map(({ body }) => [...body.matchAll(/"name":"(n\d+)"/g)].map(([, name]) => name))
      const inLimit = requests.every(
        ({ body }, index) => names[index]?.length === 1 || Buffer.byteLength(body) <= 4_000,
      )
      return inLimit && accepted === values.length && names.flat().join() === spans.map(({ name }) => name).join()
    })
    const { failed, counterexample } = await fc.check(law, { numRuns: 60 })
    expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null })
  })
})

describe('a failing receiver', () => {
  test.each<[string, Answer]>([
    ['429', { status: 429, headers: { 'retry-after': '0' } }],
    ['503', { status: 503, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } }],
    ['a broken connection', { hangUp: true }],
  ])('gets a retry after %s', async (_what, trouble) => {
    const { url, requests } = await listen((count) => (count < 3 ? trouble : {}))
    expect(await createSpanSender({ url }).send([span()])).toMatchObject({ accepted: 1 })
    expect(requests).toHaveLength(3)
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
  })

  test('gets no further retry after the last attempt', async () => {
    const { url, requests } = await listen(() => ({
      status: 503,
      headers: { 'retry-after': '0' },
      body: { message: 'full.' },
    }))
    await expect(createSpanSender({ url, attempts: 2 }).send([span()])).rejects.toMatchObject({
      code: 'store_busy',
      message: expect.stringMatching(/127\.0\.0\.1.*HTTP 503: full\. It is overloaded/) as string,
    })
    expect(requests).toHaveLength(2)
  })

  test('gets no retry after a permanent rejection', async () => {
    const { url, requests } = await listen(() => ({ status: 400, body: { code: 3, message: 'no such field' } }))
    await expect(createSpanSender({ url }).send([span()])).rejects.toMatchObject({
      code: 'receiver_refused',
      message: expect.stringContaining('HTTP 400: no such field') as string,
    })
    expect(requests).toHaveLength(1)
  })

  test('that redirects is rejected, so that spans reach only the intended receiver', async () => {
    const { url, requests } = await listen(() => ({ status: 307, headers: { location: '/elsewhere' } }))
    await expect(createSpanSender({ url }).send([span()])).rejects.toMatchObject({ code: 'receiver_refused' })
    expect(requests).toHaveLength(1)
  })

  test('is quoted on one line, however long its response', async () => {
    const { url } = await listen(() => ({ status: 401, body: `<html>\n  <p>${'no '.repeat(1_000)}` }))
    const refusal = (await createSpanSender({ url })
      .send([span()])
      .catch((error: unknown) => error)) as Error
    expect(refusal.message).toMatch(
      /^The receiver at .* refused spans with HTTP 401: "?<html>.*Check that the URL.*PLANSPAN_TOKEN/,
    )
    expect(refusal.message.length).toBeLessThan(800)
  })

  test.each([404, 405, 501])('without such a path (HTTP %i) is reported as not being a receiver', async (status) => {
    const { url } = await listen(() => ({ status, body: '<html>' }))
    await expect(createSpanSender({ url }).send([span()])).rejects.toMatchObject({
      code: 'receiver_unreachable',
      message: expect.stringMatching(
        new RegExp(`^The server at ${url} is not an OTLP receiver \\(status ${status}\\)\\. .*--endpoint`),
      ) as string,
    })
  })

  test('that is missing is named', async () => {
    const { url, close } = await startReceiver()
    await close()
    await expect(createSpanSender({ url, attempts: 2 }).send([span()])).rejects.toMatchObject({
      code: 'receiver_unreachable',
      message: expect.stringMatching(/ECONNREFUSED.*planspan serve/) as string,
    })
  })
})
