import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { runCli, startServe, type Serving } from '../cli/run-cli.js'

const FLOODER = fileURLToPath(new URL('flooder.mjs', import.meta.url))
const SECONDS = 2
const EVERY_MS = 25
const MAX_P99_MS = 200
/** A core each for the attacker and the server with its ClickHouse; the attacker leaves its core to the client. */
const ATTACKER = ['-c', '1', 'nice', '-n', '10', process.execPath, FLOODER]
const SERVER = ['taskset', '-c', '0']

const GRPC = [
  'small calls with fresh headers',
  'calls with 60 fresh headers',
  'HPACK references',
  'rapid reset',
  'CONTINUATION',
  'PING',
  'SETTINGS',
  'empty DATA',
  'fresh connections',
  'idle connections',
]
const HTTP = ['slow headers over HTTP/1', 'slow bodies over HTTP/1']

let data: string
let server: Serving
const figures: string[] = []
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-floods-'))
  const tokens = join(data, 'tokens.json')
  await runCli(['token', '--tokens', tokens, 'create', 'sender'])
  const ports = ['--grpc-port', '0', '--jaeger-port', '0']
  server = await startServe(['--data', join(data, 'store'), '--tokens', tokens, ...ports], {
    enter: SERVER,
    log: (text) => process.stderr.write(text),
  })
})
afterAll(async () => {
  process.stdout.write(`/healthz p50 and p99 in ms\n${figures.join('\n')}\n`)
  await server.end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})

const ports = {
  http: () => server.line.url,
  gRPC: () => server.line.grpcUrl ?? '',
  Jaeger: () => `http://${server.line.jaegerEndpoint ?? ''}`,
}
const attacks = [
  ...HTTP.map((attack) => ({ attack, port: 'http' as const })),
  ...GRPC.flatMap((attack) => [
    { attack, port: 'gRPC' as const },
    { attack, port: 'Jaeger' as const },
  ]),
]

it.each(attacks)('answers /healthz to others during a flood without a token: $attack, $port', async (one) => {
  const attacker = spawn('taskset', [...ATTACKER, one.attack, ports[one.port]()], { stdio: 'ignore' })
  onTestFinished(() => void attacker.kill('SIGKILL'))
  const times = await healthTimes()
  const [p50 = 0, p99 = 0] = [0.5, 0.99].map((share) => times[Math.floor((times.length - 1) * share)])
  figures.push(`${one.attack}, ${one.port}: ${p50.toFixed(0)}, ${p99.toFixed(0)}`)
  expect(attacker.exitCode).toBe(null)
  expect(p99).toBeLessThan(MAX_P99_MS)
})

/** Asks at fixed times, however long the responses take; returns their times, shortest first. */
async function healthTimes(): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const ask = async (): Promise<number> => {
    const begun = performance.now()
    const request = get(`${server.line.url}/healthz`, { agent })
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage]
    await once(response.resume(), 'end')
    return performance.now() - begun
  }
  const asked: Promise<number>[] = []
  for (let count = 0; count < (SECONDS * 1_000) / EVERY_MS; count++) {
    asked.push(ask())
    await setTimeout(EVERY_MS)
  }
  const times = await Promise.all(asked)
  agent.destroy()
  return times.sort((a, b) => a - b)
}
