// What it costs to erase a plan: npm run build && node bench/erase/run.mjs [--spans 10000000] [--layout month|density]
//   [--rounds 9] [--data DIRECTORY] With --data the spans are kept, for the next run.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { Build } from '../density/build.mjs'
import { madeBefore, make, MERGE_LIMIT_MS } from '../density/make.mjs'
import { plansOf } from '../density/plans-of.mjs'
import { machine, quantile, table } from '../figures.mjs'
import { settle } from '../settle.mjs'

const { values: options } = parseArgs({
  options: {
    spans: { type: 'string', default: '10000000' },
    layout: { type: 'string', default: 'month' },
    rounds: { type: 'string', default: '9' },
    data: { type: 'string' },
  },
})
const rounds = Number(options.rounds)
const directory = options.data === undefined ? await mkdtemp(join(tmpdir(), 'planspan-bench-')) : resolve(options.data)
const build = new Build('this build', fileURLToPath(new URL('../..', import.meta.url)), join(directory, 'data'))
const mutate = (query) =>
  build.client.command({ query, clickhouse_settings: { mutations_sync: '1', lightweight_deletes_sync: '1' } })

/** The ways to take a trace out of the span table alone, and the plan out of all tables. */
const WAYS = {
  'the plan, `DELETE /api/records/{planId}`': async ({ PlanId: planId }) => {
    const url = `${build.server.url}/api/records/${encodeURIComponent(planId)}?running=true&together=true`
    const answer = await fetch(url, { method: 'DELETE' })
    if (answer.status !== 204) throw new Error(await answer.text())
  },
  'its spans alone, `ALTER TABLE … DELETE`': ({ TraceId }) =>
    mutate(`ALTER TABLE ${build.database}.otel_traces DELETE WHERE TraceId = '${TraceId}'`),
  'its spans alone, `DELETE FROM`: hidden, on the disk until a merge': ({ TraceId }) =>
    mutate(`DELETE FROM ${build.database}.otel_traces WHERE TraceId = '${TraceId}'`),
  'the same, then `APPLY DELETED MASK`': async ({ TraceId }) => {
    await mutate(`DELETE FROM ${build.database}.otel_traces WHERE TraceId = '${TraceId}'`)
    await mutate(`ALTER TABLE ${build.database}.otel_traces APPLY DELETED MASK`)
  },
}

for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
try {
  await build.start()
  if ((await madeBefore(build.client)) === undefined) {
    await make(build, { spans: Number(options.spans), layout: options.layout, foreign: false })
  }
  await settle(build.client, build.database, MERGE_LIMIT_MS)
  const [{ rows }] = await build.rows('SELECT toFloat64(count()) AS rows FROM otel_traces')
  console.log(`${machine()}; ${rows} spans, layout ${options.layout}; ${rounds} plans each way, by turns\n`)
  const plans = await plansOf(build, rounds * Object.keys(WAYS).length)
  const took = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [way, erase] of Object.entries(WAYS)) {
      const plan = plans.pop()
      const begun = performance.now()
      await erase(plan)
      took[way].push(performance.now() - begun)
    }
  }
  const lines = Object.entries(took).map(([way, times]) => [
    way,
    `${quantile(times, 0.5).toFixed(0)} ms`,
    `${Math.max(...times).toFixed(0)} ms`,
  ])
  console.log(table(['erased', 'median', 'longest'], lines))
} finally {
  await build.stop()
  if (options.data === undefined) await rm(directory, { recursive: true, force: true })
}
