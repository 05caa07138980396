// The server's other clients, a process of its own: node neighbours.mjs URL. Asks /healthz every 50 ms and sends a span
// every 250 ms, whatever the answers do, until its input ends, and prints how long the answers took, each from when its
// request was due.
import { setTimeout as delay } from 'node:timers/promises'

import { smallSpans } from './bodies.mjs'

const url = process.argv[2]
const HEALTH_MS = 50
const SPAN_MS = 250
const ending = new AbortController()
process.stdin.resume().once('end', () => ending.abort())

async function each(everyMs, ask) {
  const times = []
  const failures = []
  const asking = []
  const start = performance.now()
  for (let number = 0; !ending.signal.aborted; number++) {
    const due = start + number * everyMs
    await delay(Math.max(0, due - performance.now()))
    const answered = ask().then(
      () => times.push(performance.now() - due),
      (error) => failures.push(String(error.cause ?? error)),
    )
    asking.push(answered)
  }
  await Promise.all(asking)
  return { times, failures }
}

async function expectOk(path, init) {
  const response = await fetch(url + path, init)
  const body = await response.text()
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${body.slice(0, 200)}`)
}

const span = smallSpans(1)
const headers = { 'content-type': 'application/x-protobuf' }
const [health, spans] = await Promise.all([
  each(HEALTH_MS, () => expectOk('/healthz')),
  each(SPAN_MS, () => expectOk('/v1/traces', { method: 'POST', headers, body: span })),
])
console.log(JSON.stringify({ health, spans }))
