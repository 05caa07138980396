// node bench/tokens/run.mjs
// What a token costs a request, beside none in the same process: a request through the middleware, without a socket and
// over one. The rounds of all alternate, and processor time is counted, so that the load of the machine weighs little.

import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'

import { changeTokens, Gate, hashOf, newToken, sessionKeyOf } from '../../dist/access/index.js'
import { guard } from '../../dist/server/guard/guard.js'
import { machine, quantile, table } from '../figures.mjs'

const ROUNDS = 20
const REQUESTS = 1_000
const directory = mkdtempSync(join(tmpdir(), 'planspan-bench-'))
const { getRequestListener } = createRequire(import.meta.url)('@hono/node-server')

const gates = []
async function gateOf(count) {
  const path = join(directory, `${count}.json`)
  const tokens = Array.from({ length: count }, newToken)
  const made = tokens.map((token, index) => ({
    name: `token-${index}`,
    hash: hashOf(sessionKeyOf(token)).toString('base64url'),
    scopes: ['read'],
    madeAt: new Date().toISOString(),
    perSecond: 1_000_000_000,
  }))
  await changeTokens(path, () => made)
  const gate = await Gate.open(path)
  gates.push(gate)
  return { gate, token: tokens.at(-1) }
}

const appOf = (gate) => {
  const app = new Hono()
  if (gate) app.use(guard(gate))
  app.get('/api/records', (c) => c.text('all'))
  return app
}

const cases = []
for (const count of [0, 1, 10, 1_000]) {
  const { gate, token } = count === 0 ? {} : await gateOf(count)
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const app = appOf(gate)
  const request = () => app.request('http://localhost/api/records', { headers })
  cases.push({ name: count === 0 ? 'none' : `one of ${count}`, request, times: [] })
  if (count === 0 || count === 10) {
    const server = createServer(
      { keepAliveTimeout: 60_000 },
      getRequestListener(app.fetch, { overrideGlobalObjects: false }),
    )
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${server.address().port}/api/records`
    const overSocket = async () => (await fetch(url, { headers })).text()
    const close = () => (server.closeAllConnections(), server.close())
    cases.push({
      name: `${count === 0 ? 'none' : `one of ${count}`}, over a socket`,
      request: overSocket,
      close,
      times: [],
    })
  }
}

for (let round = -5; round < ROUNDS; round++) {
  for (const { request, times, close } of cases) {
    const count = close ? REQUESTS / 10 : REQUESTS
    const begun = process.cpuUsage()
    for (let index = 0; index < count; index++) await request()
    const { user, system } = process.cpuUsage(begun)
    if (round >= 0) times.push((user + system) / count)
  }
}

console.log(
  `${machine()}, Node ${process.versions.node}; ${ROUNDS} rounds of ${REQUESTS} requests, a tenth of them over a socket\n`,
)
const rows = cases.map(({ name, times }) => [
  name,
  ...[0.1, 0.5, 0.9].map((share) => quantile(times, share).toFixed(1)),
])
console.log(table(['token', 'p10, µs of processor time a request', 'median', 'p90'], rows))

for (const { close } of cases) close?.()
for (const gate of gates) gate.close()
rmSync(directory, { recursive: true })
