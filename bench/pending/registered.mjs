// What register() costs an agent in all beside the bare SDK: snapshots, redaction, encoding and HTTP, CPU time a span.
// npm run build && node bench/pending/registered.mjs [--rounds 5]
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs, promisify } from 'node:util'
import { machine, quantile, table } from '../figures.mjs'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const run = promisify(execFile)
const agent = join(import.meta.dirname, 'registered-agent.mjs')

/** What each side may cost, in times of the bare SDK. */
const AIMS = { bare: 1, 'without snapshots': 1.1, 'with all': 1.5 }
/** @typedef {keyof typeof AIMS} Side */
const sides = /** @type {Side[]} */ (Object.keys(AIMS))

/** @type {Record<Side, number[]>} */
const micros = { bare: [], 'without snapshots': [], 'with all': [] }
let bytes = 0
const receiver = createServer((request, response) => {
  request.on('data', (chunk) => (bytes += chunk.length))
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
const address = receiver.address()
const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

/** @type {Record<Side, number>} */
const sent = { bare: 0, 'without snapshots': 0, 'with all': 0 }
for (let round = 0; round < Number(values.rounds); round++) {
  for (const side of round % 2 ? sides : sides.toReversed()) {
    bytes = 0
    const { stdout } = await run(process.execPath, [agent, side, url])
    micros[side].push(Number(stdout))
    sent[side] = bytes
  }
}
receiver.close()

console.log(`${machine()}, Node ${process.version}, ${values.rounds} rounds by turns, medians\n`)
const rows = sides.map((side) => {
  const ratio = quantile(
    micros[side].map((each, at) => each / (micros.bare[at] ?? Number.NaN)),
    0.5,
  )
  const figures = [quantile(micros[side], 0.5).toFixed(1), ratio.toFixed(2), AIMS[side], Math.round(sent[side] / 1e6)]
  return { ratio, cells: [side, ...figures], isMet: ratio <= AIMS[side] }
})
console.log(
  table(
    ['', 'µs CPU a span', 'of the bare SDK', 'aim', 'MB sent'],
    rows.map(({ cells }) => cells),
  ),
)
process.exitCode = rows.every(({ isMet }) => isMet) ? 0 : 1
