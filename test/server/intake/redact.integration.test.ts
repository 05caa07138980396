import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { livePlan } from '../live-plan.js'
import { startTestApp, type TestApp } from '../test-app.js'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const traceId = 'a'.repeat(32)

let server: TestApp

beforeAll(async () => {
  server = await startTestApp({ redact: true })
})
afterAll(() => server.close())

it('masks secrets that senders of spans and of records did not mask', async () => {
  const [plan, ...others] = livePlan({ traceId, planId: 'plan-live', subPlanId: 'plan-below', stepId: 'step-live' })
  await server.send([
    { ...plan!, attributes: { ...plan!.attributes, 'planspan.plan.title': `Use ${TOKEN}` } },
    ...others,
  ])
  const fixture = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
  const record = fixture.replace('"Form"', JSON.stringify(`With ${TOKEN}`))
  const imported = await server.app.request('/api/records', { method: 'POST', body: record })
  expect(imported.status).toBe(200)

  for (const id of ['plan-live', 'plan-1767061562002']) {
    const answer = await server.app.request(`/api/records/${id}`)
    expect(answer.headers.get('planspan-verdict')).toBe('redacted')
    const text = await answer.text()
    expect(text).toContain('[REDACTED]')
    expect(text).not.toContain(TOKEN)
  }
  const rows = await server.store.client.query({
    query: `SELECT toUInt32(count()) AS found FROM ${server.store.database}.otel_traces WHERE position(toString(SpanAttributes), 'ghp_') > 0`,
    format: 'JSONEachRow',
  })
  expect(await rows.json()).toEqual([{ found: 0 }])
})
