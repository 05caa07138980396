// What each view is asked, of periods of time, beside the same asked of the span table by hand, each span taken once.
import { table } from '../figures.mjs'
import { questions } from './questions.mjs'

const SLOW_MS = 10_000
const once = (where) => `(SELECT * FROM otel_traces WHERE ${where} LIMIT 1 BY TraceId, SpanId)`

export async function measureViews(builds, rounds, periods) {
  const parts = []
  for (const [period, since] of Object.entries(periods)) {
    const rows = []
    for (const { view, sql, raw } of questions(since, once)) {
      const cells = []
      for (const build of builds) {
        const asked = await time(build, sql, rounds)
        const byHand = await time(build, raw, rounds)
        cells.push(inWords(asked), inWords(byHand), asked.ms && byHand.ms ? (asked.ms / byHand.ms).toFixed(2) : '–')
      }
      rows.push([view, ...cells, ...(await compared(builds, sql))])
    }
    const head = [
      'view',
      ...builds.flatMap(({ name }) => [name, 'by hand', 'ratio']),
      'rows',
      ...(builds.length > 1 ? ['same'] : []),
    ]
    parts.push(`${period}; milliseconds, the best of ${rounds} / of processor time\n\n${table(head, rows)}`)
  }
  return parts.join('\n\n')
}

const inWords = ({ ms, cpuMs, failure }) => failure ?? `${ms.toFixed(0)} / ${cpuMs.toFixed(0)}`

async function time(build, query, rounds) {
  const times = []
  const before = await build.processorMs()
  for (let round = 0; round < rounds && !(times[0] > SLOW_MS); round++) {
    const started = performance.now()
    try {
      await (await build.client.query({ query, format: 'TabSeparated' })).text()
    } catch (error) {
      return { failure: `failed: ${error.type ?? error.message}` }
    }
    times.push(performance.now() - started)
  }
  return { ms: Math.min(...times), cpuMs: ((await build.processorMs()) - before) / times.length }
}

/** How many rows a view's answer has, all of them and exact, and whether the builds answer the same. */
async function compared(builds, sql) {
  const answers = []
  for (const build of builds) answers.push(await answerOf(build, exact(sql)).catch((error) => `failed: ${error.type}`))
  const rows = answers[0].split(' ')[0]
  return [rows === '0' ? 'NONE' : rows, ...(builds.length > 1 ? [new Set(answers).size === 1 ? 'yes' : 'NO'] : [])]
}

const exact = (sql) =>
  sql
    .replace(/ORDER BY .* LIMIT \d+$/s, '')
    .replaceAll('quantile(', 'quantileExact(')
    .replaceAll('median(', 'quantileExact(0.5)(')

/** Sums of numbers depend on their order in the last digits. */
async function answerOf(build, sql) {
  const columns = (await build.rows(`DESCRIBE TABLE (${sql})`)).map(({ name, type }) =>
    type.includes('Float') ? `round(\`${name}\`, 3)` : `\`${name}\``,
  )
  const [row] = await build.rows(
    `SELECT toString(count()) AS rows, toString(sum(cityHash64(toString(tuple(${columns.join(', ')}))))) AS digest FROM (${sql})`,
  )
  return `${row.rows} ${row.digest}`
}
