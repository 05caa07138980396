// The real Jaeger, a process on one of the project's own configurations.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { buildGoBinary } from '../../scripts/go-binaries.mjs'
import { freePorts } from '../free-ports.mjs'

const configuration = (name) => fileURLToPath(new URL(`../../collector-config/${name}`, import.meta.url))

/** Starts one; `get` answers a path of its HTTP interface as text, `otlp` is where it takes spans over gRPC. */
export async function startJaeger(config, env = {}) {
  const [http, grpc, otlp, health] = await freePorts(4)
  const child = spawn(await buildGoBinary('jaeger'), [`--config=${configuration(config)}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      JAEGER_HTTP: `127.0.0.1:${http}`,
      JAEGER_GRPC: `127.0.0.1:${grpc}`,
      JAEGER_OTLP: `127.0.0.1:${otlp}`,
      JAEGER_HEALTH: `127.0.0.1:${health}`,
      ...env,
    },
  })
  let log = ''
  child.stderr.on('data', (data) => (log = (log + data).slice(-4000)))
  const deadline = Date.now() + 30_000
  while (!(await isReady(`http://127.0.0.1:${health}/status`))) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`Jaeger does not start:\n${log}`)
    await delay(50)
  }
  return {
    url: `http://127.0.0.1:${http}`,
    otlp: `127.0.0.1:${otlp}`,
    async get(path) {
      const response = await fetch(`http://127.0.0.1:${http}${path}`)
      const text = await response.text()
      if (!response.ok) throw new Error(`Jaeger answers ${response.status}: ${text}`)
      return text
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

const isReady = (url) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
