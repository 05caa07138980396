// Opens every dashboard over a month of made-up plans and prints what each of its queries takes in ClickHouse.
// npm run build && npm run dashboards && node bench/dashboards/run.mjs [--spans 1000000] [--rounds 3]
import { parseArgs } from 'node:util'

import { runDashboard } from '../../dashboards/build/query/run-dashboard.js'
import { resolveTimeRange } from '../../dashboards/build/query/time-range.js'
import { DASHBOARDS } from '../../dashboards/build/src/index.js'
import { startTemporaryServer } from '../../dist/cli/temporary-server.js'
import { generatePlans } from '../../dist/generate/index.js'
import { createStoreClient } from '../../dist/store/index.js'
import { createSpanSender } from '../../dist/sender/index.js'
import { machine, quantile } from '../figures.mjs'
import { settle } from '../settle.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
  },
})
const DAYS = 30
const BATCH = 10_000
const SLOW_MS = 1000
const wanted = Number(options.spans)
const until = Date.now()

const { server, remove } = await startTemporaryServer()
try {
  const { spans, plans } = await fill(server.url)
  await settled()
  console.log(machine())
  console.log(
    `${spans} spans, ${plans} plans over ${DAYS} days; milliseconds in ClickHouse, median of ${options.rounds}`,
  )
  const source = { url: server.embedded.readerUrl, database: server.database }
  let slow = 0
  let queries = 0
  for (const [name, dashboard] of Object.entries(DASHBOARDS)) {
    const times = await measure(source, dashboard)
    const slowest = Math.max(...times.map(({ ms }) => ms))
    console.log(`\n${name}: opens in ${sum(times)} ms of queries, the slowest ${slowest}`)
    for (const { of, ms } of times) console.log(`${String(ms).padStart(7)}  ${of}`)
    slow += times.filter(({ ms }) => ms >= SLOW_MS).length
    queries += times.length
  }
  console.log(`\n${queries - slow} of ${queries} queries below ${SLOW_MS} ms`)
} finally {
  await remove()
}

async function fill(url) {
  const batches = new Map()
  let spans = 0
  let plans = 0
  // Plans depend on their number alone, so that there may be as many as it takes.
  for (const plan of generatePlans({ plans: wanted, days: DAYS, seed: 'bench', until })) {
    const batch = batches.get(plan.service) ?? []
    batches.set(plan.service, batch)
    batch.push(...plan.spans)
    spans += plan.spans.length
    plans++
    if (batch.length >= BATCH) await send(url, plan.service, batch.splice(0))
    if (spans >= wanted) break
  }
  for (const [service, batch] of batches) await send(url, service, batch)
  return { spans, plans }
}

async function settled() {
  const client = createStoreClient({ url: server.clickhouseUrl })
  await settle(client, server.database)
  await client.close()
}

async function send(url, serviceName, spans) {
  const { rejected, reasons } = await createSpanSender({ url: `${url}/v1/traces`, serviceName }).send(spans)
  if (rejected > 0) throw new Error(reasons.join(' '))
}

async function measure(source, dashboard) {
  const rounds = []
  for (let round = 0; round < Number(options.rounds); round++) {
    const range = resolveTimeRange({ from: `now-${DAYS}d`, to: 'now' }, new Date(until))
    rounds.push((await runDashboard(source, dashboard, range)).queries)
  }
  return rounds[0].map(({ of }, at) => ({
    of,
    ms: Math.round(
      quantile(
        rounds.map((queries) => queries[at].milliseconds),
        0.5,
      ),
    ),
  }))
}

function sum(times) {
  return times.reduce((total, { ms }) => total + ms, 0)
}
