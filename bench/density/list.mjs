// A page of the list of plans, by filters and in other orders, and what plans are counted by, over HTTP.
import { quantile, table } from '../figures.mjs'

const WARM_UP = 2
const LIMIT = 50

export async function measureList(builds, rounds, { from, until }) {
  const at = (share) => new Date(from + (until - from) * share).toISOString()
  const list = (query) => async () => `/api/records?limit=${LIMIT}&${query}`
  const facets = (query) => async () => `/api/facets?${query}`
  const cases = {
    'first page': list(''),
    'state=failed': list('state=failed'),
    'a tenth of the time, in its middle': list(`since=${at(0.45)}&until=${at(0.55)}`),
    '3rd page': async (build) => await list(`cursor=${encodeURIComponent(await cursorAfter(build, 2))}`)(),
    'text=invoice': list('text=invoice'),
    'text=flight': list('text=flight'),
    'minRisk=0.9': list('minRisk=0.9'),
    'agent=auditor': list('agent=auditor'),
    'error=timeout': list('error=timeout'),
    'sort=risk': list('sort=risk'),
    'sort=tokens': list('sort=tokens'),
    'sort=cost': list('sort=cost'),
    'facets of a thirtieth of the time': facets(`since=${at(0.5)}&until=${at(0.5 + 1 / 30)}`),
    facets: facets(''),
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
        const { elapsed, told } = await ask(build, queries.get(build))
        const taken = times.get(build)
        if (round >= 0) {
          taken.elapsed.push(elapsed)
          taken.processorMs += (await build.processorMs()) - before
        }
        answers.set(build, told)
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
    `${LIMIT} plans of the list, and facets`,
    ...builds.map(({ name }) => `${name} p50 / p95 / processor, ms`),
    ...(builds.length > 1 ? ['same'] : []),
  ]
  return table(head, rows)
}

async function ask({ name, url }, path) {
  const started = performance.now()
  const response = await fetch(`${url}${path}`)
  const { records, nextCursor, facets } = await response.json()
  const elapsed = performance.now() - started
  if (!response.ok || records?.length === 0) throw new Error(`${name} answers ${response.status} to ${path}, no plans`)
  const told = records?.map(({ planId, state }) => `${planId} ${state}`).join() ?? JSON.stringify(facets)
  return { elapsed, told, nextCursor }
}

async function cursorAfter(build, pages) {
  let cursor = ''
  for (let at = 0; at < pages; at++) {
    const next = cursor && `cursor=${encodeURIComponent(cursor)}`
    const { nextCursor } = await ask(build, `/api/records?limit=${LIMIT}&${next}`)
    cursor = nextCursor
  }
  return cursor
}
