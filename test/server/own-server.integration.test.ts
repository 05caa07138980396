import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'

import { ATTR, PENDING, type Span } from '../../src/semconv/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import type { ImportReport, SpanList } from '../../src/wire/index.js'
import { freshDatabase } from '../support/clickhouse.js'
import { livePlan } from './live-plan.js'

const TOKEN = 'a-token-of-this-test'
const headers = { authorization: `Bearer ${TOKEN}` }
const record = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')

/** A plan that has started, as recorded by its first snapshot. */
function openPlan(): Span {
  const ids = { traceId: 'a'.repeat(32), planId: 'plan-1', subPlanId: 'plan-2', stepId: 'step-1' }
  const [root] = livePlan(ids)
  const snapshot = { [ATTR.spanState]: PENDING, [ATTR.pendingSpanId]: root!.spanId, [ATTR.pendingParentSpanId]: '' }
  return {
    ...root!,
    spanId: 'f'.repeat(16),
    parentSpanId: root!.spanId,
    attributes: { ...root!.attributes, [ATTR.state]: 'running', ...snapshot },
  }
}

test('a custom server can mount planspan below a path, behind its own check, and close it on shutdown', async () => {
  const { url, database, drop } = await freshDatabase()
  const env = { ...process.env, CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, TOKEN, PORT: '0' }
  const program = spawn(process.execPath, ['examples/own-server.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  try {
    const [line] = (await once(createInterface({ input: program.stdout }), 'line')) as [string]
    const endpoint = line.replace('OTEL_EXPORTER_OTLP_ENDPOINT=', '')
    const get = (path: string) => fetch(`${endpoint}${path}`, { headers })
    expect((await fetch(new URL('/', endpoint))).status).toBe(200)
    expect((await fetch(`${endpoint}/api/records`)).status).toBe(401)
    expect((await get('/readyz')).status).toBe(200)

    const imported = await fetch(`${endpoint}/api/records`, { method: 'POST', body: record, headers })
    const { records } = (await imported.json()) as ImportReport
    const path = `/api/records/${records[0]!.planId}`
    expect(await (await get(path)).text()).toBe(record)
    const spans = await get(`${path}/spans`)
    expect([spans.headers.get('content-encoding'), ((await spans.json()) as SpanList).spans.length]).toEqual([
      'gzip',
      4,
    ])

    const sender = createSpanSender({ url: `${endpoint}/v1/traces`, headers })
    expect(await sender.send([openPlan()])).toMatchObject({ accepted: 1 })
    const events = await get('/api/records/plan-1/events')
    expect(events.headers.get('content-type')).toContain('text/event-stream')
    program.kill('SIGTERM')
    await events.text()
    expect(await ended).toEqual([0, null])
  } finally {
    program.kill('SIGKILL')
    await ended
    await drop()
  }
})
