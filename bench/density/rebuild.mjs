// A plan of 50 spans by its id: its record over HTTP, and what one would write in SQL instead.
import { ATTR } from '../../dist/semconv/index.js'
import { quantile, table } from '../figures.mjs'
import { plansOf } from './plans-of.mjs'

const WARM_UP = 10
const TURN = 20

export async function measureRebuild(builds, rounds) {
  const [first] = builds
  const plans = await plansOf(first, WARM_UP + rounds)
  const times = new Map(builds.map((build) => [build, { record: [], byHand: [], processorMs: 0 }]))
  const bodies = new Map(plans.map(({ PlanId: id }) => [id, new Set()]))
  for (const build of builds) for (const plan of plans.slice(0, WARM_UP)) await record(build, plan)
  const measured = plans.slice(WARM_UP)
  for (let at = 0; at < measured.length; at += TURN) {
    for (const build of (at / TURN) % 2 === 0 ? builds : builds.toReversed()) {
      const taken = times.get(build)
      const turn = measured.slice(at, at + TURN)
      const before = await build.processorMs()
      for (const plan of turn) {
        const { elapsed, body } = await record(build, plan)
        taken.record.push(elapsed)
        bodies.get(plan.PlanId).add(body)
      }
      taken.processorMs += (await build.processorMs()) - before
      taken.byHand.push(await byHand(build, turn[0]))
    }
  }
  const head = ['a plan of 50 spans', 'record p50 / p95, ms', 'its processor time', 'SELECT * p50 / p95, ms', 'ratio']
  const lines = builds.map((build) => {
    const { record, byHand, processorMs } = times.get(build)
    const ratio = quantile(byHand, 0.5) / quantile(record, 0.5)
    return [
      build.name,
      spread(record),
      (processorMs / record.length).toFixed(1),
      spread(byHand),
      `${ratio.toFixed(1)} times`,
    ]
  })
  const other = measured.filter(({ PlanId: id }) => bodies.get(id).size > 1).length
  const compared = builds.length > 1 ? `\n\nThe builds answer ${other} of ${measured.length} records differently.` : ''
  return `${measured.length} plans, each asked for once of each build, one at a time\n\n${table(head, lines)}${compared}`
}

const spread = (values) => [0.5, 0.95].map((share) => quantile(values, share).toFixed(1)).join(' / ')

async function record({ name, url }, { PlanId: id }) {
  const started = performance.now()
  const response = await fetch(`${url}/api/records/${id}`)
  const body = await response.text()
  const elapsed = performance.now() - started
  const verdict = response.headers.get('planspan-verdict')
  if (verdict !== 'complete') throw new Error(`${name} answers ${response.status}, ${verdict} for ${id}: ${body}`)
  return { elapsed, body }
}

/** The milliseconds of what one would write in SQL instead of asking for a record. */
export async function byHand({ name, client }, { PlanId: id }) {
  const started = performance.now()
  const result = await client.query({
    query: `SELECT * FROM otel_traces WHERE SpanAttributes['${ATTR.planId}'] = {id:String}`,
    query_params: { id },
    format: 'JSONEachRow',
  })
  const rows = await result.json()
  if (rows.length === 0) throw new Error(`${name} has no span of ${id}`)
  return performance.now() - started
}
