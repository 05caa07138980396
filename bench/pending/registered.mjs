// What register() costs an agent in all beside the bare SDK: snapshots, redaction, encoding and HTTP, CPU time a span.
// npm run build && node bench/pending/registered.mjs [--rounds 5]
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs, promisify } from 'node:util'
import { machine, quantile, table } from '../figures.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } })
const run = promisify(execFile)
const agent = join(import.meta.dirname, 'registered-agent.mjs')

/** What each side may cost, in times of the bare SDK. */
const AIMS = { bare: 1, 'without snapshots': 1.1, 'with all': 1.5 }
/** @typedef {keyof typeof AIMS} Side */
const sides = /** @type {Side[]} */ (Object.keys(AIMS))

/** @type {Record<Side, { first: number, last: number, bytes: number }[]>} */
const runs = { bare: [], 'without snapshots': [], 'with all': [] }
let bytes = 0
const receiver = createServer((request, response) => {
  request.on('data', (chunk) => (bytes += chunk.length))
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const address = receiver.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

for (let round = 0; round < Number(values.rounds); round++) {
  for (const side of round % 2 ? sides : sides.toReversed()) {
    bytes = 0
    const { stdout } = await run(process.execPath, [agent, side, url])
    runs[side].push({ ...JSON.parse(stdout), bytes })
  }
}
receiver.close()

console.log(`${machine()}, Node ${process.version}, ${values.rounds} rounds by turns, medians\n`)
/** @param {number[]} all */
const median = (all) => quantile(all, 0.5)
const rows = sides.map((side) => {
  const ratio = median(runs[side].map(({ last }, at) => last / (runs.bare[at]?.last ?? Number.NaN)))
  const first = median(runs[side].map((each) => each.first)).toFixed(0)
  const last = median(runs[side].map((each) => each.last)).toFixed(0)
  const sent = Math.round((runs[side][0]?.bytes ?? 0) / 1e6)
  return { cells: [side, first, last, ratio.toFixed(2), AIMS[side], sent], isMet: ratio <= AIMS[side] }
})
console.log(
  table(
    ['', 'µs CPU a span, first wave', 'last wave', 'of the bare SDK', 'aim', 'MB sent'],
    rows.map(({ cells }) => cells),
  ),
)
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1
