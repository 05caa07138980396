// npm run build && node bench/own-traces/run.mjs
// What it costs a request to be traced with `serve --trace-endpoint`: its span, one of a rebuilt record below it and
// one of a query below that, encoded and sent. Processor time of this process, by turns; the receiver is another one.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { sendPlainTraces } from '../../dist/cli/serve/own-traces.js'
import { inOwnSpan, startOwnSpan } from '../../dist/base/own-spans.js'
import { RequestLog } from '../../dist/server/telemetry/request-log.js'
import { RequestWatch, RequestTraces } from '../../dist/server/telemetry/request-traces.js'
import { machine, quantile, table } from '../figures.mjs'

const ROUNDS = 20
const REQUESTS = 2_000
const RECEIVER = `require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

const receiver = spawn(process.execPath, ['-e', RECEIVER], { stdio: ['ignore', 'pipe', 'inherit'] })
process.once('exit', () => receiver.kill())
const [port] = await once(createInterface(receiver.stdout), 'line')
let lost = 0
const traces = await sendPlainTraces({
  endpoint: `http://127.0.0.1:${port}`,
  serviceName: 'bench',
  headers: {},
  timeoutMillis: 5_000,
  what: 'bench/own-traces',
  onLoss: (spans) => (lost += spans),
})
traces.enableContext()

const log = new RequestLog(() => {}, { all: false })
const traced = new RequestWatch(log, new RequestTraces(traces.provider))
const cases = [
  { name: 'not asked for', watch: new RequestWatch(log), flags: '01' },
  { name: 'of a client that does not want it', watch: traced, flags: '00' },
  { name: 'of one that does, three spans', watch: traced, flags: '01' },
].map((one) => ({ ...one, times: [] }))

const query = async (span) => span.end()
const answer = () =>
  inOwnSpan('rebuild record', {}, async () =>
    startOwnSpan('clickhouse.query', { attributes: { 'db.system.name': 'clickhouse' } }, query),
  )

async function request({ watch, flags }) {
  const traceparent = `00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flags}`
  const said = { protocol: 'http', id: 'bench', method: 'GET', path: '/api/records/plan', from: '127.0.0.1' }
  const begun = watch.begin({ ...said, traceHeaders: { traceparent } })
  await begun.run(answer)
  begun.end({ status: 200, isBroken: false })
}

for (let round = -5; round < ROUNDS; round++) {
  for (const one of cases) {
    const begun = process.cpuUsage()
    for (let index = 0; index < REQUESTS; index++) await request(one)
    await traces.provider.forceFlush()
    const { user, system } = process.cpuUsage(begun)
    if (round >= 0) one.times.push((user + system) / REQUESTS)
  }
}
console.log(
  `${machine()}, Node ${process.versions.node}; ${ROUNDS} rounds of ${REQUESTS} requests; spans lost: ${lost}\n`,
)
const rows = cases.map(({ name, times }) => [
  name,
  ...[0.1, 0.5, 0.9].map((share) => quantile(times, share).toFixed(1)),
])
console.log(table(['a trace', 'p10, µs of processor time a request', 'median', 'p90'], rows))
await traces.shutdown()
receiver.kill()
