import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { ATTR, spanTimesOf, type Span } from '../../../src/semconv/index.js'
import { anySpan } from '../../support/any-tree.js'
import { startTestApp, type TestApp } from '../test-app.js'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.close())

const DAY = 86_400_000_000_000n
const nanos = (iso: string): bigint => BigInt(Date.parse(iso)) * 1_000_000n
const traceOf = (number: number): string => number.toString(16).padStart(32, 'a')

/** A plan with an agent and three model calls of 101 tokens, which start at the given times. */
function planAt(planId: string, traceId: string, times: readonly [bigint, bigint, bigint]): Span[] {
  const spans = [
    anySpan({ index: 0, parent: -1, role: 'plan', planId, start: times[0] }),
    anySpan({ index: 1, parent: 0, role: 'agent', planId, start: times[0] }),
    ...times.map((start, at) =>
      anySpan({
        index: 2 + at,
        parent: 1,
        role: 'llm',
        planId,
        start,
        attributes: { [ATTR.usageInputTokens]: '100', [ATTR.usageOutputTokens]: '1' },
      }),
    ),
  ]
  return spans.map((span) => ({ ...span, traceId }))
}

interface Answer {
  readonly planspan: { readonly usage: { readonly totalTokens: number } }
  readonly spans: readonly unknown[]
  readonly records: readonly unknown[]
}

async function json(path: string) {
  const response = await server.app.request(path)
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer }
}

test.each([
  ['from the first day of all to the last second', ['1970-01-01', '1999-01-01', '2106-02-07T06:28:15.999Z']],
  ['on one day', ['2026-01-01', '2026-01-01', '2026-01-01']],
])('a plan with spans %s is returned whole', async (name, starts) => {
  const planId = `plan ${name}`
  const traceId = traceOf(name.length)
  await server.send(planAt(planId, traceId, starts.map(nanos) as [bigint, bigint, bigint]))
  const record = await json(`/api/records/${encodeURIComponent(planId)}`)
  expect(record.headers.get('planspan-verdict')).toBe('complete')
  expect(record.body.planspan.usage.totalTokens).toBe(303)
  expect((await json(`/api/records/${encodeURIComponent(planId)}/spans`)).body.spans).toHaveLength(5)
  expect((await json(`/api/traces/${traceId}/reading`)).body.spans).toHaveLength(5)
  expect((await json(`/api/records?trace=${traceId}`)).body.records).toMatchObject([{ planId }])
})

test('spans that could not be found again are rejected, whatever times the receiver accepts', async () => {
  const starts: [bigint, bigint, bigint] = [nanos('2026-01-01'), nanos('2106-02-07T06:28:16Z'), nanos('2200-01-01')]
  await expect(server.send(planAt('late', traceOf(99), starts))).rejects.toThrow('2 spans refused')
})

test('every accepted span of a request can be read back, and every other span is reported', async () => {
  const app = await startTestApp({ spanTimes: () => spanTimesOf(10, Date.now()) })
  let trace = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.bigInt(0n, 2n ** 63n - 1n), { minLength: 1, maxLength: 8 }), async (starts) => {
        const traceId = traceOf(++trace)
        const planId = `plan-${trace}`
        const now = BigInt(Date.now()) * 1_000_000n
        // Half of the spans start today.
        const spans = [now, ...starts.flatMap((start) => [now, start])].map((start, index) => ({
          ...anySpan({ index, parent: index === 0 ? -1 : 0, role: index === 0 ? 'plan' : 'agent', planId, start }),
          traceId,
        }))
        const refused = starts.filter((start) => start >= DAY && (start < now - 3653n * DAY || start > now + 7n * DAY))
        if (refused.length === 0) await app.send(spans)
        else await expect(app.send(spans)).rejects.toThrow(`${refused.length} span`)
        const response = await app.app.request(`/api/records/${planId}/spans`)
        const { spans: read } = (await response.json()) as { spans: unknown[] }
        expect(read).toHaveLength(spans.length - refused.length)
      }),
      { numRuns: 20 },
    )
  } finally {
    await app.close()
  }
})
