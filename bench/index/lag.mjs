import { setTimeout as delay } from 'node:timers/promises'

import { openIndexers } from '../../dist/indexer/index.js'
import { ATTR } from '../../dist/semconv/index.js'
import { make } from '../density/make.mjs'
import { quantile } from '../figures.mjs'
import { number } from '../settle.mjs'

const SPANS_A_SECOND = 11_600
const INSERTS_A_SECOND = 2

/** Inserts spans at the rate of a billion a day, each time with a plan whose row is waited for, beside a reader. */
export async function measureLag(open, seconds) {
  const source = await open('source')
  await make(source, { spans: SPANS_A_SECOND * seconds, layout: 'density', foreign: false })
  const target = await open('measured')
  const { client, database } = target
  const indexer = await openIndexers(target)
  const rows = SPANS_A_SECOND / INSERTS_A_SECOND
  const acknowledged = new Map()
  const lags = []
  const state = { isOver: false }
  const watching = watch(target, { acknowledged, lags, state })
  const reading = read(target, state)
  const begun = Date.now()
  for (let at = 0; at < seconds * INSERTS_A_SECOND; at++) {
    await insert(target, source, { at, rows })
    acknowledged.set(`marker-${at}`, Date.now())
    await delay(Math.max(0, begun + ((at + 1) * 1000) / INSERTS_A_SECOND - Date.now()))
  }
  const took = (Date.now() - begun) / 1000
  await delay(5_000)
  state.isOver = true
  await Promise.all([watching, reading])
  await indexer.close()
  const seen = await number(client, `SELECT count() FROM ${database}.otel_traces`)
  return [
    {
      'spans a second': Math.round(seen / took),
      'plans seen': `${lags.length} of ${seconds * INSERTS_A_SECOND}`,
      'lag p50, s': (quantile(lags, 0.5) / 1000).toFixed(2),
      'lag p95, s': (quantile(lags, 0.95) / 1000).toFixed(2),
      'reader p50, ms': Math.round(quantile(state.reads, 0.5)),
    },
  ]
}

async function insert({ client, database }, source, { at, rows }) {
  await client.command({
    query: `INSERT INTO ${database}.otel_traces SELECT * FROM ${source.database}.otel_traces LIMIT ${rows} OFFSET ${at * rows}`,
  })
  await client.command({
    query: `INSERT INTO ${database}.otel_traces (Timestamp, TraceId, SpanId, SpanName, SpanAttributes)
      VALUES (now64(9), lower(hex(MD5('marker-${at}'))), '0000000000000001', 'invoke_workflow',
        map('${ATTR.spanKind}', 'plan', '${ATTR.planId}', 'marker-${at}', '${ATTR.planRootId}', 'marker-${at}'))`,
  })
}

async function watch({ client, database }, { acknowledged, lags, state }) {
  while (!state.isOver) {
    const query = `SELECT PlanId FROM ${database}.plan_rows WHERE startsWith(PlanId, 'marker-') AND Timestamp > now() - 30`
    const now = Date.now()
    for (const { PlanId: planId } of await (await client.query({ query, format: 'JSONEachRow' })).json()) {
      const time = acknowledged.get(planId)
      if (time === undefined) continue
      acknowledged.delete(planId)
      lags.push(now - time)
    }
    await delay(50)
  }
}

/** Somebody who looks at the newest plans. */
async function read({ client, database }, state) {
  state.reads = []
  while (!state.isOver) {
    const begun = performance.now()
    await (
      await client.query({
        query: `SELECT PlanId, State FROM ${database}.plan_rows FINAL WHERE Listed = 2 ORDER BY Timestamp DESC LIMIT 50`,
        format: 'JSONEachRow',
      })
    ).json()
    state.reads.push(performance.now() - begun)
    await delay(500)
  }
}
