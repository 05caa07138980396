// The load generator, a process of its own: node load.mjs '{"url":…,"mode":…,"encoding":…,"nested":…,"spans":…,…}'
// Saturated: each connection sends its next request when the last is answered. Light: each client is an agent of its own,
// which exports a request at its times whatever the answers do.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { makeRequests, renumber } from './spans.mjs'

const { url, mode, encoding, nested, spans, requestSpans, clients, spansPerSecond, first } = JSON.parse(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const headers = { 'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf' }
const requests = makeRequests({ encoding, nested, size: requestSpans })
const total = Math.ceil(spans / requestSpans)
const latencies = []
let sent = 0
let refused = 0

function post(body) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } },
      (answer) => {
        answer
          .resume()
          .on('end', () => resolve(answer.statusCode))
          .on('error', reject)
      },
    )
    outgoing.on('error', reject).end(body)
  })
}

async function sendNext() {
  const number = sent++
  const body = Buffer.from(renumber(requests[number % requests.length], encoding, first + number + 1))
  const start = performance.now()
  for (;;) {
    const status = await post(body)
    if (status === 200) break
    if (status !== 503) throw new Error(`${url} answers ${status}`)
    refused++
  }
  latencies.push(performance.now() - start)
}

async function connection() {
  while (sent < total) await sendNext()
}

async function atItsTimes() {
  const intervalMs = (requestSpans / spansPerSecond) * 1000
  const answers = []
  for (let number = 0; number < total; number++) {
    await delay(Math.max(0, start + number * intervalMs - performance.now()))
    answers.push(sendNext())
  }
  await Promise.all(answers)
}

const start = performance.now()
if (mode === 'light') await atItsTimes()
else await Promise.all(Array.from({ length: clients }, connection))
agent.destroy()
latencies.sort((a, b) => a - b)
console.log(
  JSON.stringify({
    spans: total * requestSpans,
    bytesPerSpan: requests.reduce((sum, { body }) => sum + body.length, 0) / requests.length / requestSpans,
    refused,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
  }),
)
