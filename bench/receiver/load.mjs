// The load generator, a process of its own: node load.mjs '{"url":…,"encoding":…,"nested":…,"spans":…,"connections":…}'
import { Agent, request } from 'node:http'
import { makeRequests, renumber } from './spans.mjs'

const { url, encoding, nested, spans, connections } = JSON.parse(process.argv[2])
const agent = new Agent({ keepAlive: true, maxSockets: connections })
const headers = { 'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf' }

// Each connection has a body at a time under way, so each has requests of its own to renumber.
const requests = makeRequests({ encoding, nested })
const total = Math.ceil(spans / requests[0].spans)
let sent = 0
let refused = 0
const latencies = []

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

async function connection() {
  while (sent < total) {
    const number = sent++
    const template = requests[number % requests.length]
    const body = Buffer.from(renumber(template, encoding, number + 1))
    const start = performance.now()
    for (;;) {
      const status = await post(body)
      if (status === 200) break
      if (status !== 503) throw new Error(`The receiver answers ${status}`)
      refused++
    }
    latencies.push(performance.now() - start)
  }
}

const start = performance.now()
await Promise.all(Array.from({ length: connections }, connection))
const seconds = (performance.now() - start) / 1000
latencies.sort((a, b) => a - b)
const bytesPerSpan = requests.reduce((sum, { body, spans }) => sum + body.length / spans, 0) / requests.length
console.log(
  JSON.stringify({
    spans: total * requests[0].spans,
    seconds,
    refused,
    bytesPerSpan: Math.round(bytesPerSpan),
    p50: latencies[Math.floor(latencies.length * 0.5)],
    p99: latencies[Math.floor(latencies.length * 0.99)],
  }),
)
agent.destroy()
