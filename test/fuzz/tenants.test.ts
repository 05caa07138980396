import fc from 'fast-check'
import { expect, it } from 'vitest'

import { sessionKeyOf } from '../../src/access/index.js'
import { ROUTES } from '../../src/wire/index.js'
import { readAnswer } from '../server/admin/read-answer.js'
import { idsOf, NOBODY, secretOf, SHARED, startTwoTenants, type TwoTenants } from '../server/admin/two-tenants.js'

const seconds = Number(process.env['PLANSPAN_FUZZ_SECONDS'])
const firstSeed = Number(process.env['PLANSPAN_FUZZ_SEED'])
const REQUESTS_A_GROUP = 24
const MOST_LEAKS = 20

it('reveals nothing about one tenant to another, whatever the request', async () => {
  await using two = await startTwoTenants()
  const request = requestsTo(await knownOf(two))
  const leaks: string[] = []
  let requests = 0
  const until = performance.now() + seconds * 1_000
  for (let seed = firstSeed; performance.now() < until && leaks.length < MOST_LEAKS; seed++) {
    const group = fc.sample(request, { seed, numRuns: REQUESTS_A_GROUP })
    await Promise.all(
      group.map(async ({ path, init }) => {
        const text = await readAnswer(await two.ask('acme', path, { ...init, signal: AbortSignal.timeout(60_000) }))
        requests++
        if (text.includes(secretOf('globex'))) leaks.push(`--seed ${seed}: ${init.method} ${path}`)
      }),
    )
  }
  process.stdout.write(
    `${requests} requests of one tenant for another's, seeds from ${firstSeed}: ${leaks.length} leaks\n`,
  )
  expect(leaks).toEqual([])
  // A leak would be detected.
  expect(await (await two.ask('globex', `/api/records/${SHARED.planId}`)).text()).toContain(secretOf('globex'))
})

/** The texts that could leak from the other tenant: its ids, and the responses that it got. */
async function knownOf(two: TwoTenants) {
  const page = await two.ask('globex', '/api/records?limit=1')
  const { nextCursor } = (await page.json()) as { nextCursor: string | null }
  const record = await two.ask('globex', `/api/records/${SHARED.planId}`)
  const etag = record.headers.get('etag') ?? ''
  await record.body?.cancel()
  return { ...two.traceOf.globex, cursor: nextCursor ?? '', etag, session: sessionKeyOf(two.tokenOf.globex) }
}

function requestsTo(theirs: Awaited<ReturnType<typeof knownOf>>) {
  const planId = fc.constantFrom(
    idsOf('globex').planId,
    SHARED.planId,
    idsOf(NOBODY).planId,
    '../globex',
    'globex.plans',
  )
  const trace = fc.constantFrom(theirs.traceId, 'ab'.repeat(16))
  const place = fc.record({
    planId,
    id: planId,
    stepId: fc.constantFrom(idsOf('globex').stepId, SHARED.stepId),
    traceId: trace,
    trace,
    spanId: fc.constantFrom(theirs.spanId, 'cd'.repeat(8)),
    source: fc.constantFrom('source-of-globex', 'source-of-acme', ''),
    cursor: fc.constantFrom(theirs.cursor, 'x'),
    database: fc.constantFrom('globex', 'otel'),
    tenant: fc.constant('globex'),
    fields: fc.constantFrom('structure', 'verdict'),
    all: fc.constant('true'),
  })
  const headers = fc.record(
    {
      'if-none-match': fc.constant(theirs.etag),
      'last-event-id': fc.constantFrom('0', '1', theirs.etag),
      cookie: fc.constant(`planspan_session=${theirs.session}`),
      'x-clickhouse-database': fc.constant('globex'),
      'x-scope-orgid': fc.constant('globex'),
      'mcp-session-id': fc.uuid(),
    },
    { requiredKeys: [] },
  )
  const asked = fc.subarray([
    'id',
    'planId',
    'stepId',
    'trace',
    'spanId',
    'source',
    'cursor',
    'database',
    'tenant',
    'fields',
    'all',
  ])
  // A Parquet file is compressed, so texts are not visible in it.
  const operation = fc.constantFrom(...Object.keys(ROUTES).filter((one) => !one.includes('/views/')))
  return fc.tuple(operation, place, asked, headers).map(([one, values, names, sent]) => {
    const [method = '', pattern = ''] = one.split(' ')
    const valueOf = (name: string): string => (values as Readonly<Record<string, string>>)[name] ?? 'none'
    const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueOf(name)))
    const reported = names.map((name): [string, string] => [name, valueOf(name)])
    const isBody = method === 'POST'
    const query = new URLSearchParams(reported)
    return {
      path: isBody || reported.length === 0 ? path : `${path}?${query}`,
      init: {
        method: method === 'ALL' ? 'PUT' : method,
        headers: { ...(isBody && { 'content-type': 'application/json' }), ...sent },
        ...(isBody && { body: JSON.stringify(Object.fromEntries(reported)) }),
      },
    }
  })
}
