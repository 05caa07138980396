// What the queries of a record read, each query known by the tables that it names.
import { quantile, table } from '../figures.mjs'
import { serve } from '../serve.mjs'
import { number } from '../settle.mjs'
import { clientOf } from './build.mjs'
import { plansOf } from './plans-of.mjs'
import { countQueries } from './query-counter.mjs'
import { byHand } from './rebuild.mjs'

const PLANS = 30
const PLANS_BY_HAND = 3

export async function measureReads(builds) {
  const rows = []
  for (const build of builds) rows.push(...(await readsOf(build)))
  const head = ['build', 'tables of the query', 'queries', 'parts', 'granules', 'rows', 'KB']
  const around = []
  for (const build of builds) around.push(await partsOf(build))
  return `Medians of ${PLANS} plans of 50 spans; ${around.join('; ')}\n\n${table(head, rows)}`
}

async function readsOf(build) {
  const counter = await countQueries(build.server.clickhouseUrl)
  const reader = await serve(build.checkout, ['--clickhouse', counter.url, '--database', build.database])
  const client = clientOf(counter.url, build.database)
  try {
    const plans = await plansOf(build, PLANS)
    const records = []
    const selects = []
    for (const { PlanId: id } of plans) {
      counter.take()
      await (await fetch(`${reader.url}/api/records/${id}`)).arrayBuffer()
      records.push(counter.take())
    }
    for (const plan of plans.slice(0, PLANS_BY_HAND)) {
      counter.take()
      await byHand({ name: build.name, client }, plan)
      selects.push(counter.take())
    }
    return [
      ...rowsOf(records),
      ['all', ...medians(records.map(sum))],
      ['SELECT * by hand', ...medians(selects.map(sum))],
    ].map((cells) => [build.name, ...cells])
  } finally {
    await client.close()
    await reader.stop()
    counter.close()
  }
}

/** The queries that name the same tables together; without what the server asks now and then, whatever it is asked. */
function rowsOf(records) {
  const names = new Set(records.flat().map(({ tables }) => tables))
  return [...names]
    .map((name) => [name, records.map((queries) => queries.filter(({ tables }) => tables === name))])
    .filter(([, records]) => records.filter((queries) => queries.length > 0).length > PLANS / 2)
    .map(([name, records]) => [name, ...medians(records.map(sum))])
}

/** How many queries, and what they read together. */
const sum = (queries) =>
  queries.reduce((total, { read }) => total.map((value, at) => value + [1, ...read][at]), [0, 0, 0, 0, 0])

function medians(sums) {
  const [queries, parts, granules, rows, bytes] = sums[0].map((_, at) => median(sums.map((values) => values[at])))
  return [queries, parts, granules, rows, (bytes / 1000).toFixed(0)]
}

const median = (values) => quantile(values, 0.5)

async function partsOf(build) {
  const parts = await number(
    build.client,
    `SELECT count() FROM system.parts WHERE active AND database = '${build.database}' AND table = 'otel_traces'`,
  )
  const traces = (await plansOf(build, PLANS)).map(({ TraceId: id }) => `'${id}'`)
  const minutes = await build.rows(
    `SELECT uniq(toStartOfMinute(Timestamp)) AS minutes FROM otel_traces WHERE TraceId IN (${traces.join(', ')}) GROUP BY TraceId`,
  )
  const inMinutes = median(minutes.map((row) => Number(row.minutes)))
  return `${build.name}: ${parts} active parts, a plan in ${inMinutes} minutes`
}
