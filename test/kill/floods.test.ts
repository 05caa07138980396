import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { runCli, startServe, type Serving } from '../cli/run-cli.js'

const FLOODER = fileURLToPath(new URL('../../bench/floods/flooder.mjs', import.meta.url))

let data: string
let server: Serving
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-floods-'))
  const tokens = join(data, 'tokens.json')
  await runCli(['token', '--tokens', tokens, 'create', 'sender'])
  const ports = ['--grpc-port', '0', '--jaeger-port', '0']
  server = await startServe(['--data', join(data, 'store'), '--tokens', tokens, ...ports])
})
afterAll(async () => {
  await server.end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})

const PORTS = {
  gRPC: () => server.line.grpcUrl ?? '',
  Jaeger: () => `http://${server.line.jaegerEndpoint ?? ''}`,
}

// Half of the requests took half a second to five seconds before connections had limits; bench/floods has the times.
it.each([
  ['small calls with fresh headers', 'gRPC'],
  ['HPACK references', 'gRPC'],
  ['rapid reset', 'gRPC'],
  ['HPACK references', 'Jaeger'],
] as const)('others are served during a flood without a token: %s, %s', async (attack, port) => {
  const attacker = spawn('nice', ['-n', '10', process.execPath, FLOODER, attack, PORTS[port]()], { stdio: 'ignore' })
  onTestFinished(() => void attacker.kill('SIGKILL'))
  const asked: Promise<number>[] = []
  for (let count = 0; count < 40; count++) {
    asked.push(healthTime())
    await setTimeout(50)
  }
  const times = (await Promise.all(asked)).sort((a, b) => a - b)
  expect(attacker.exitCode).toBe(null)
  expect(times[20]).toBeLessThan(400)
})

/** The time of a request on a connection of its own, milliseconds. */
async function healthTime(): Promise<number> {
  const begun = performance.now()
  const response = await fetch(`${server.line.url}/healthz`)
  await response.arrayBuffer()
  return performance.now() - begun
}
