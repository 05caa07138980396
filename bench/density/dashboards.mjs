// Opens every dashboard of a build over the data: what its queries take in ClickHouse.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { quantile, table } from '../figures.mjs'

const SLOW_MS = 1000
const SLOWEST = 3

export async function measureDashboards(builds, rounds, { from, until }) {
  const { runDashboard } = await import('../../dashboards/build/query/run-dashboard.js')
  const range = { from: new Date(from), to: new Date(until) }
  const times = new Map(builds.map((build) => [build, new Map()]))
  const processorMs = new Map(builds.map((build) => [build, 0]))
  const failures = new Set()

  async function open(build, name, dashboard) {
    const source = { url: build.server.clickhouseReaderUrl, database: build.database }
    const { queries } = await runDashboard(source, dashboard, range)
    const taken = times.get(build)
    for (const { of, milliseconds } of queries) {
      const key = `${name}: ${of}`
      taken.set(key, [...(taken.get(key) ?? []), milliseconds])
    }
  }
  for (let round = 0; round < rounds; round++) {
    for (const build of round % 2 === 0 ? builds : builds.toReversed()) {
      const before = await build.processorMs()
      for (const [name, dashboard] of dashboardsOf(build)) {
        await open(build, name, dashboard).catch(({ message }) =>
          failures.add(`${build.name}, ${name} failed: ${message}`),
        )
      }
      processorMs.set(build, processorMs.get(build) + (await build.processorMs()) - before)
    }
  }
  const head = [
    'build',
    'queries',
    'all of them, ms',
    'their processor time',
    `above ${SLOW_MS} ms`,
    `the slowest ${SLOWEST}, ms`,
  ]
  const rows = builds.map((build) => {
    const medians = [...times.get(build)].map(([of, values]) => ({ of, ms: Math.round(quantile(values, 0.5)) }))
    const slowest = medians.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
    const sum = medians.reduce((total, { ms }) => total + ms, 0)
    const slow = medians.filter(({ ms }) => ms >= SLOW_MS).length
    return [
      build.name,
      medians.length,
      sum,
      Math.round(processorMs.get(build) / rounds),
      slow,
      slowest.map(({ of, ms }) => `${ms} ${of}`).join('; '),
    ]
  })
  return [`Medians of ${rounds}, as ClickHouse tells them\n\n${table(head, rows)}`, ...failures].join('\n')
}

function dashboardsOf({ checkout }) {
  const folder = join(checkout, 'dashboards/json')
  return readdirSync(folder).map((file) => [
    file.replace('.json', ''),
    JSON.parse(readFileSync(join(folder, file), 'utf8')),
  ])
}
