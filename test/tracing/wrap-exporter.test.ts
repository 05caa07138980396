import { SpanKind, TraceFlags } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { plan, wrapExporter, type SpanExporterLike, type SpanLike } from '../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

let sdk: InMemorySdk | undefined
afterEach(() => sdk?.uninstall())

const requestOf = (spans: readonly SpanLike[]): string =>
  new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans as unknown as ReadableSpan[]))

function recorder({ failing = () => false }: { failing?: (part: number) => boolean } = {}) {
  const parts: SpanLike[][] = []
  const exporter: SpanExporterLike = {
    export: (spans, done) => {
      parts.push(spans)
      const bad = failing(parts.length)
      queueMicrotask(() => done(bad ? { code: 1, error: new Error('refused') } : { code: 0 }))
    },
    shutdown: () => Promise.resolve(),
  }
  return { parts, exporter }
}

const exportAll = (exporter: SpanExporterLike, spans: SpanLike[]) =>
  new Promise<{ code: number; error?: Error }>((resolve) => exporter.export(spans, resolve))

let spanCount = 0
function span(parts: Partial<SpanLike> = {}): SpanLike {
  const spanId = (++spanCount).toString(16).padStart(16, '0')
  return {
    name: 'work',
    kind: SpanKind.INTERNAL,
    spanContext: () => ({ traceId: 'ab'.repeat(16), spanId, traceFlags: TraceFlags.SAMPLED }),
    startTime: [1_700_000_000, 123_456_789],
    endTime: [1_700_000_001, 123_456_789],
    status: { code: 0 },
    attributes: {},
    links: [],
    events: [],
    resource: resourceFromAttributes({}),
    instrumentationScope: { name: 'test' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    ...parts,
  }
}

const SECRET = 'sk-live-0123456789abcdefghijk'

test('masks everything that a span exports and leaves the span itself unchanged', async () => {
  const { parts, exporter } = recorder()
  const link = { context: span().spanContext(), attributes: { note: `key ${SECRET}` } }
  const original = span({
    name: `GET ${SECRET}`,
    status: { code: 2, message: `bad key ${SECRET}` },
    attributes: {
      plain: 'x',
      args: JSON.stringify({ deep: [SECRET] }),
      list: ['a', SECRET],
      'db.password': 'p4ss-w0rd',
    },
    events: [{ time: [1, 2], name: `used ${SECRET}`, attributes: { 'exception.message': SECRET } }],
    links: [link],
    resource: resourceFromAttributes({ 'process.command_line': `run --key ${SECRET}` }),
  })
  const before = requestOf([original])
  await exportAll(wrapExporter(exporter), [original])
  const request = requestOf(parts.flat())
  expect(request).not.toContain(SECRET)
  expect(request).not.toContain('p4ss-w0rd')
  const listed = ['name', 'exception.message', 'note', 'status.message', 'args', 'list', 'db.password']
  expect(parts[0]?.[0]?.attributes['planspan.redacted_fields']).toEqual(listed)
  expect(requestOf([original])).toBe(before)
})

test('keeps every unmasked value of the real SDK’s spans', async () => {
  sdk = installSdk()
  plan({ workflow: 'w', request: `use ${SECRET}` }, (p) => p.agent({ name: 'a' }, () => undefined))
  const { parts, exporter } = recorder()
  await exportAll(wrapExporter(exporter), sdk.spans())
  const listed =
    '{"key":"planspan.redacted_fields","value":{"arrayValue":{"values":[{"stringValue":"gen_ai.input.messages"}]}}}'
  const expected = requestOf(sdk.spans())
    .replace(SECRET, '[REDACTED]')
    .replace('"planspan.children.agent","value":{"intValue":1}}', (last) => `${last},${listed}`)
  expect(requestOf(parts.flat())).toBe(expected)
})

const STRUCTURAL = ['planspan.plan.id', 'planspan.step.id', 'gen_ai.tool.call.id', 'planspan.record.digest']

test('sends no planted secret, and changes no structural key', async () => {
  const planted = fc.oneof(
    fc.constantFrom(SECRET, `a ${SECRET} b`, `["${SECRET}"]`, JSON.stringify({ x: [`say ${SECRET}`] })),
    fc.constant('{"password":"p4ss-w0rd"}'),
    fc.constant('x{"password":"p4ss-w0rd"'),
    fc.string(),
  )
  const attributes = fc.dictionary(
    fc.stringMatching(/^[a-z.]{1,8}$/),
    fc.oneof(planted, fc.array(planted), fc.double()),
  )
  const spans = fc.record({
    name: planted,
    attributes: attributes.chain((own) =>
      fc.tuple(fc.constantFrom(...STRUCTURAL), fc.oneof(fc.string(), fc.constant('password=x'))).map(([key, id]) => ({
        ...own,
        [key]: id,
      })),
    ),
    events: fc.array(fc.record({ time: fc.constant<[number, number]>([1, 2]), name: planted, attributes })),
    status: planted.map((message) => ({ code: 2, message })),
    resource: attributes.map((own) => resourceFromAttributes(own)),
  })
  const law = fc.asyncProperty(fc.array(spans, { maxLength: 4 }), async (made) => {
    const { parts, exporter } = recorder()
    const all = made.map((one) => span(one))
    await exportAll(wrapExporter(exporter), all)
    const sent = parts.flat()
    const request = requestOf(sent)
    const kept = sent.every((one, at) => STRUCTURAL.every((key) => one.attributes[key] === all[at]?.attributes[key]))
    return kept && !request.includes(SECRET) && !request.includes('p4ss-w0rd')
  })
  const { failed, counterexample } = await fc.check(law, { numRuns: 100 })
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null })
})

test('changes nothing when redaction is off', async () => {
  const { parts, exporter } = recorder()
  const original = span({ attributes: { password: SECRET } })
  await exportAll(wrapExporter(exporter, { redact: false }), [original])
  expect(parts).toEqual([[original]])
})

test('lists masked attributes after those that were omitted before', async () => {
  const { parts, exporter } = recorder()
  await exportAll(wrapExporter(exporter), [
    span({ attributes: { args: SECRET, 'planspan.redacted_fields': ['result'] } }),
  ])
  expect(parts[0]?.[0]?.attributes['planspan.redacted_fields']).toEqual(['result', 'args'])
})

test('keeps every request within the limit, except a single larger span, and loses no span', async () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ maxLength: 3_000, size: 'max' }),
    fc.constant('"\n'.repeat(900)),
  )
  const resources = [resourceFromAttributes({ a: 'é'.repeat(50) }), resourceFromAttributes({ b: 'b' })]
  const spans = fc.array(
    fc.record({
      name: texts,
      attributes: fc.dictionary(texts, fc.oneof(texts, fc.double(), fc.boolean(), fc.array(texts, { maxLength: 4 })), {
        maxKeys: 5,
      }),
      events: fc.array(
        fc.record({
          time: fc.constant<[number, number]>([1, 2]),
          name: texts,
          attributes: fc.dictionary(texts, texts, { maxKeys: 3 }),
        }),
        { maxLength: 3 },
      ),
      resource: fc.constantFrom(...resources),
    }),
    { maxLength: 12 },
  )
  const limit = 6_000
  const law = fc.asyncProperty(spans, async (made) => {
    const all = made.map((parts) => span(parts))
    const { parts, exporter } = recorder()
    await exportAll(wrapExporter(exporter, { redact: false, maxRequestBytes: limit }), all)
    const inLimit = parts.every((part) => part.length === 1 || Buffer.byteLength(requestOf(part)) <= limit)
    return inLimit && parts.flat().length === all.length && parts.flat().every((one, index) => one === all[index])
  })
  const { failed, counterexample } = await fc.check(law, { numRuns: 50 })
  expect({ failed, counterexample }).toEqual({ failed: false, counterexample: null })
})

test('one failed part fails the export, after all parts were tried', async () => {
  const { parts, exporter } = recorder({ failing: (part) => part === 2 })
  const spans = [1, 2, 3].map(() => span({ attributes: { text: 'x'.repeat(3_000) } }))
  const result = await exportAll(wrapExporter(exporter, { maxRequestBytes: 5_000 }), spans)
  expect(parts).toHaveLength(3)
  expect(result).toMatchObject({ code: 1, error: { message: 'refused' } })
})

test('an exporter that throws fails the export', async () => {
  const exporter: SpanExporterLike = {
    export: () => {
      throw new Error('closed')
    },
    shutdown: () => Promise.resolve(),
  }
  expect(await exportAll(wrapExporter(exporter), [span()])).toMatchObject({ code: 1, error: { message: 'closed' } })
})

test('an exporter that never responds fails its export, and delays no other export and no shutdown', async () => {
  let calls = 0
  const order: string[] = []
  const exporter: SpanExporterLike = {
    export: (_spans, done) => void (++calls > 4 && done({ code: 0 })),
    shutdown: () => Promise.resolve(void order.push('shutdown')),
  }
  const wrapped = wrapExporter(exporter, { exportTimeoutMillis: 20 })
  const results = await Promise.all([1, 2, 3, 4, 5].map(() => exportAll(wrapped, [span()])))
  expect(results.map(({ code }) => code)).toEqual([1, 1, 1, 1, 0])
  expect(results[0]?.error?.message).toBe('the exporter did not answer within 20 ms')
  const hung = wrapExporter({ ...exporter, export: () => undefined }, { exportTimeoutMillis: 20 })
  for (let count = 0; count < 9; count++) hung.export([span()], () => undefined)
  await hung.forceFlush?.()
  await hung.shutdown()
  expect(order).toEqual(['shutdown'])
})

test('passes the exporter a few requests at a time, and shuts it down after the last', async () => {
  const order: string[] = []
  let open = 0
  let most = 0
  const exporter: SpanExporterLike = {
    export: (_spans, done) => {
      most = Math.max(most, ++open)
      setImmediate(() => {
        open--
        order.push('part')
        done({ code: 0 })
      })
    },
    forceFlush: () => Promise.resolve(void order.push('flush')),
    shutdown: () => Promise.resolve(void order.push('shutdown')),
  }
  const wrapped = wrapExporter(exporter)
  for (let count = 0; count < 40; count++) wrapped.export([span()], () => undefined)
  await wrapped.forceFlush?.()
  await wrapped.shutdown()
  expect(most).toBeLessThanOrEqual(4)
  expect(order).toEqual([...Array<string>(40).fill('part'), 'flush', 'shutdown'])
})
