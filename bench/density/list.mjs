// A page of the list of plans, over HTTP.
import { quantile, table } from '../figures.mjs'

const WARM_UP = 2
const LIMIT = 50

export async function measureList(builds, rounds, { from, until }) {
  const at = (share) => new Date(from + (until - from) * share).toISOString()
  const cases = {
    'first page': async () => '',
    'state=failed': async () => 'state=failed',
    'a tenth of the time, in its middle': async () => `since=${at(0.45)}&until=${at(0.55)}`,
    '3rd page': async (build) => `cursor=${encodeURIComponent(await cursorAfter(build, 2))}`,
  }
  const rows = []
  for (const [name, queryOf] of Object.entries(cases)) {
    const times = new Map(builds.map((build) => [build, { elapsed: [], processorMs: 0 }]))
    const queries = new Map()
    for (const build of builds) queries.set(build, await queryOf(build))
    const answers = new Map()
    for (let round = -WARM_UP; round < rounds; round++) {
      for (const build of round % 2 === 0 ? builds : builds.toReversed()) {
        const before = await build.processorMs()
        const { elapsed, records } = await page(build, queries.get(build))
        const taken = times.get(build)
        if (round >= 0) {
          taken.elapsed.push(elapsed)
          taken.processorMs += (await build.processorMs()) - before
        }
        answers.set(build, records.map(({ planId, state }) => `${planId} ${state}`).join())
      }
    }
    const same = new Set(answers.values()).size === 1
    const cells = builds.map((build) => {
      const { elapsed, processorMs } = times.get(build)
      return [quantile(elapsed, 0.5), quantile(elapsed, 0.95), processorMs / rounds].map(Math.round).join(' / ')
    })
    rows.push([name, ...cells, ...(builds.length > 1 ? [same ? 'yes' : 'NO'] : [])])
  }
  const head = [
    `${LIMIT} plans of the list`,
    ...builds.map(({ name }) => `${name} p50 / p95 / processor, ms`),
    ...(builds.length > 1 ? ['same'] : []),
  ]
  return table(head, rows)
}

async function page({ name, url }, query) {
  const started = performance.now()
  const response = await fetch(`${url}/api/records?limit=${LIMIT}&${query}`)
  const { records, nextCursor } = await response.json()
  const elapsed = performance.now() - started
  if (!response.ok || records.length === 0) throw new Error(`${name} answers ${response.status} to ${query}, no plans`)
  return { elapsed, records, nextCursor }
}

async function cursorAfter(build, pages) {
  let cursor = ''
  for (let at = 0; at < pages; at++) {
    const { nextCursor } = await page(build, cursor && `cursor=${encodeURIComponent(cursor)}`)
    cursor = nextCursor
  }
  return cursor
}
