// Senders that come whatever the answers are, a process of its own: node load.mjs '{"url":…,"spansPerSecond":…,…}'
// Each request is of a sender of its own, which gives up when an exporter would, and sends nothing again.
import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { quantile } from '../figures.mjs'
import { makeRequests, renumber } from '../ingest/spans.mjs'

const { url, spansPerSecond, requestSpans, seconds, timeoutMs, first } = JSON.parse(process.argv[2])
const agent = new Agent({ keepAlive: true })
const requests = makeRequests({ encoding: 'protobuf', nested: 0, size: requestSpans, count: 16 })
const total = Math.ceil((spansPerSecond * seconds) / requestSpans)

/** Sends a request; answers its status, or what became of it, and how long that took. */
function post(body) {
  const start = performance.now()
  return new Promise((resolve) => {
    const end = (outcome) => resolve({ outcome, ms: performance.now() - start })
    const outgoing = request(
      url,
      {
        method: 'POST',
        agent,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { 'content-type': 'application/x-protobuf', 'content-length': body.length },
      },
      (answer) =>
        answer
          .on('error', () => end('failed'))
          .on('end', () => end(String(answer.statusCode)))
          .resume(),
    )
    outgoing.on('error', (error) => end(error.name === 'AbortError' ? 'given up' : 'failed')).end(body)
  })
}

const answers = []
const start = performance.now()
for (let number = 0; number < total; number++) {
  await delay(Math.max(0, start + ((number * requestSpans) / spansPerSecond) * 1000 - performance.now()))
  const sender = first + number
  answers.push(post(Buffer.from(renumber(requests[number % requests.length], sender, sender))))
}
const ended = performance.now()
const results = await Promise.all(answers)
agent.destroy()
const outcomes = {}
for (const { outcome } of results) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
const taken = results.filter(({ outcome }) => outcome === '200').map(({ ms }) => ms)
const refused = results.filter(({ outcome }) => outcome === '503').map(({ ms }) => ms)
console.log(
  JSON.stringify({
    spans: total * requestSpans,
    offered: (total * requestSpans * 1000) / (ended - start),
    acknowledged: taken.length * requestSpans,
    outcomes,
    p50: quantile(taken, 0.5) ?? null,
    slowest: taken.reduce((most, ms) => Math.max(most, ms), 0),
    refusedP95: quantile(refused, 0.95) ?? null,
  }),
)
