import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject, vi } from 'vitest'

import { freePorts } from './free-ports.js'

/** A configuration of the project, as a path. */
export const configuration = (name: string): string =>
  fileURLToPath(new URL(`../../collector-config/${name}`, import.meta.url))

const flags = (configs: readonly string[]) =>
  configs.map((name) => `--config=${name.startsWith('yaml:') ? name : configuration(name)}`)

/** The collector's output about configurations, without running them. */
export const validate = (configs: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(inject('goBinaries').collector, ['validate', ...flags(configs)], { env, encoding: 'utf8' })

export interface CollectorOptions {
  /**
   * Files of collector-config/, or settings as `yaml:a::b: value`; later entries override earlier ones. @default
   * ['agent.yaml']
   */
  readonly configs?: readonly string[]
  /** The target ClickHouse: its URL with user and password, its native port, the database. */
  readonly clickhouse?: { readonly url: string; readonly nativePort: number; readonly database: string }
  readonly env?: Readonly<Record<string, string>>
}

/** The real collector, running on the project's own configuration. */
export interface Collector {
  /** The OTLP/HTTP endpoint, without a trailing slash. */
  readonly url: string
  /** host:port of the OTLP/gRPC endpoint. */
  readonly grpc: string
  /** Its own metrics, by name with labels. */
  metrics(): Promise<Map<string, number>>
  /** Its log so far. */
  log(): string
  /** Ends its process, at once (SIGKILL) or after it has sent its queue (SIGTERM). Resolves at its exit. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>
  /** Restarts it after it has ended: same ports, same queue. */
  start(): Promise<void>
  /** Ends it and deletes its queue. */
  remove(): Promise<void>
}

/** Starts a collector on free ports; resolves when it accepts spans. */
export async function startCollector(options: CollectorOptions = {}): Promise<Collector> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnPorts(await freePorts(4), options)
    } catch (error) {
      // Another process may bind a free port before the collector does.
      if (attempt === MAX_ATTEMPTS || !String(error).includes('address already in use')) throw error
    }
  }
}

const MAX_ATTEMPTS = 3

async function startOnPorts(ports: readonly number[], options: CollectorOptions): Promise<Collector> {
  const { configs = ['agent.yaml'], clickhouse } = options
  const [grpc, http, health, metrics] = ports
  const directory = await mkdtemp(join(tmpdir(), 'planspan-collector-'))
  const env = {
    OTLP_GRPC_ENDPOINT: `127.0.0.1:${grpc}`,
    OTLP_HTTP_ENDPOINT: `127.0.0.1:${http}`,
    HEALTH_ENDPOINT: `127.0.0.1:${health}`,
    METRICS_PORT: String(metrics),
    QUEUE_DIRECTORY: join(directory, 'queue'),
    ...(clickhouse ? clickhouseEnvironment(clickhouse) : {}),
    ...options.env,
  }
  let output = ''
  const launch = async () => {
    const child = spawn(inject('goBinaries').collector, flags(configs), { env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'close')
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
    await vi.waitFor(
      async () => {
        if (child.exitCode !== null) return
        const { status } = await fetch(`http://127.0.0.1:${health}`)
        if (status !== 200) throw new Error(`The collector answers ${status}.\n${output}`)
      },
      { timeout: 60_000, interval: 20 },
    )
    if (child.exitCode !== null) throw new Error(`The collector ended with ${child.exitCode}.\n${output}`)
    return { child, ended }
  }
  let running = await launch()
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    running.child.kill(signal)
    await running.ended
  }
  return {
    url: `http://127.0.0.1:${http}`,
    grpc: `127.0.0.1:${grpc}`,
    metrics: async () => readMetrics(await (await fetch(`http://127.0.0.1:${metrics}/metrics`)).text()),
    log: () => output,
    end,
    start: async () => {
      running = await launch()
    },
    remove: async () => {
      await end('SIGKILL')
      await rm(directory, { recursive: true })
    },
  }
}

function clickhouseEnvironment({ url, nativePort, database }: NonNullable<CollectorOptions['clickhouse']>) {
  const { username, password } = new URL(url)
  return {
    CLICKHOUSE_ENDPOINT: `tcp://127.0.0.1:${nativePort}`,
    CLICKHOUSE_USER: username,
    CLICKHOUSE_PASSWORD: password,
    CLICKHOUSE_DATABASE: database,
  }
}

const readMetrics = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): [string, number] => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  )
