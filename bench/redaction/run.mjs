// What redaction costs a text of 2 kB, the content of a span, beside another build of planspan, in turn in one process.
// npm run build && node bench/redaction/run.mjs [--before OTHER/dist]
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

import { createRedactor } from '../../dist/redaction/index.js'
import { machine, quantile, table } from '../figures.mjs'

const { values } = parseArgs({
  options: { before: { type: 'string' }, rounds: { type: 'string', default: '41' } },
})
const PROSE =
  'The planner reads the report of last week, compares the figures with the warehouse and writes a summary for the ' +
  'team. Order 4711 was shipped on 2026-03-01 to Hamburg; the customer asked for a call. '
const ID = '550e8400-e29b-41d4-a716-446655440000'

const prose = PROSE.repeat(12).slice(0, 2000)
const message = (content) => JSON.stringify([{ role: 'user', id: ID, parts: [{ type: 'text', content }] }])
const TEXTS = {
  prose,
  'a message': message(prose.slice(0, 1900)),
  'rows of a table': JSON.stringify(
    Array.from({ length: 22 }, (_, row) => ({ id: ID, at: '2026-03-01T10:00:00Z', order: 4711 + row })),
  ).slice(0, 2000),
  'a message about tokens': message(prose.slice(0, 1900).replace('summary', 'summary of each token')),
  'a message with a secret': message(`${prose.slice(0, 1880)} password=hunter2`),
}

const builds = { now: createRedactor() }
if (values.before) {
  const { createRedactor } = await import(resolve(values.before, 'redaction/index.js'))
  builds.before = createRedactor()
}

/** CPU time of one text, microseconds. */
function time(redactor, text) {
  const before = process.cpuUsage()
  for (let i = 0; i < 500; i++) redactor.text(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 500
}

const rows = Object.entries(TEXTS).map(([name, text]) => {
  const times = Object.fromEntries(Object.keys(builds).map((build) => [build, []]))
  for (let round = 0; round < Number(values.rounds) + 3; round++) {
    for (const build in builds) {
      const took = time(builds[build], text)
      if (round >= 3) times[build].push(took)
    }
  }
  const [now, before] = [times.now, times.before].map((each) => each && quantile(each, 0.5))
  return [
    name,
    text.length,
    now.toFixed(1),
    ...(before === undefined ? [] : [before.toFixed(1), (now / before).toFixed(2)]),
  ]
})
console.log(machine())
console.log(table(['text', 'characters', 'µs', ...(values.before ? ['before, µs', 'ratio'] : [])], rows))
