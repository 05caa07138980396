// The load generator, a process of its own: node load.mjs '{"url":…,"mode":…,"encoding":…,"nested":…,"spans":…,…}'
// Saturated: each connection sends its next request when the last is answered. Light: each client is an agent of its
// own, which exports a request at its times whatever the answers do.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { makeRequests, renumber } from './spans.mjs'

const work = JSON.parse(process.argv[2])
const { url, mode, encoding, nested, spans, requestSpans, clients, spansPerSecond, first, weeksEarlier } = work
// A connection each, as separate agents have it.
const agents = Array.from({ length: clients }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
const headers = { 'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf' }
const requests = makeRequests({ encoding, nested, size: requestSpans, weeksEarlier })
const total = Math.ceil(spans / requestSpans)
const latencies = []
let sent = 0
let refused = 0

function post(body, agent) {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } },
      (answer) => {
        answer
          .resume()
          .on('end', () =>
            resolve({ status: answer.statusCode, retryAfter: Number(answer.headers['retry-after'] ?? 1) }),
          )
          .on('error', reject)
      },
    )
    outgoing.on('error', reject).end(body)
  })
}

async function sendNext(client) {
  const number = sent++
  const body = Buffer.from(renumber(requests[number % requests.length], first + number + 1, client))
  const start = performance.now()
  for (;;) {
    const { status, retryAfter } = await post(body, agents[client])
    if (status === 200) break
    if (status !== 503) throw new Error(`${url} answers ${status}`)
    refused++
    // As exporters do.
    await delay(retryAfter * 1000)
  }
  latencies.push(performance.now() - start)
}

async function connection(client) {
  while (sent < total) await sendNext(client)
}

/** The first request of each client is not counted: it opens a connection. */
async function atTheirTimes() {
  const start = performance.now()
  const intervalMs = (requestSpans / spansPerSecond) * 1000
  const answers = []
  for (let number = 0; number < clients + total; number++) {
    if (number === clients) begin()
    await delay(Math.max(0, start + number * intervalMs - performance.now()))
    answers.push(sendNext(number % clients))
  }
  await Promise.all(answers)
}

const begin = () => console.log('begin')

if (mode === 'light') {
  await atTheirTimes()
} else {
  begin()
  await Promise.all(agents.map((_, client) => connection(client)))
}
for (const agent of agents) agent.destroy()
latencies.sort((a, b) => a - b)
console.log(
  JSON.stringify({
    spans: total * requestSpans,
    sent: sent * requestSpans,
    bytesPerSpan: requests.reduce((sum, { body }) => sum + body.length, 0) / requests.length / requestSpans,
    refused,
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
  }),
)
