import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { inject, vi } from 'vitest'

import { configuration } from './collector.js'
import { freePorts } from './free-ports.js'

/** A span in Jaeger's HTTP API. */
export interface JaegerSpan {
  readonly traceID: string
  readonly spanID: string
  readonly operationName: string
  readonly references: readonly { readonly refType: string; readonly traceID: string; readonly spanID: string }[]
  /** Microseconds since the Unix epoch. */
  readonly startTime: number
  /** Microseconds. */
  readonly duration: number
  readonly tags: readonly Tag[]
  readonly logs: readonly { readonly timestamp: number; readonly fields: readonly Tag[] }[]
  readonly warnings: readonly string[] | null
}

export interface Tag {
  readonly key: string
  readonly type: string
  readonly value: string | number | boolean
}

export interface JaegerTrace {
  readonly traceID: string
  readonly spans: readonly JaegerSpan[]
}

/** The real Jaeger, running on one of the project's own configurations. */
export interface Jaeger {
  /** Returns the `data` of a GET of its HTTP API; throws its errors. */
  get<Data>(path: string): Promise<Data>
  /** host:port of the OTLP/gRPC endpoint, if the configuration has one. */
  readonly otlp: string
  end(): Promise<void>
}

/** Starts a Jaeger on free ports; resolves when it responds. */
export async function startJaeger(config: string, env: Readonly<Record<string, string>> = {}): Promise<Jaeger> {
  const [http, grpc, otlp, health] = await freePorts(4)
  const child = spawn(inject('goBinaries').jaeger, [`--config=${configuration(config)}`], {
    env: {
      JAEGER_HTTP: `127.0.0.1:${http}`,
      JAEGER_GRPC: `127.0.0.1:${grpc}`,
      JAEGER_OTLP: `127.0.0.1:${otlp}`,
      JAEGER_HEALTH: `127.0.0.1:${health}`,
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  let log = ''
  child.stderr.on('data', (chunk) => (log += String(chunk)))
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) return
      const { status } = await fetch(`http://127.0.0.1:${health}/status`)
      if (status !== 200) throw new Error(`Jaeger answers ${status}.\n${log}`)
    },
    { timeout: 30_000, interval: 50 },
  )
  if (child.exitCode !== null) throw new Error(`Jaeger ended with ${child.exitCode}.\n${log}`)
  return {
    otlp: `127.0.0.1:${otlp}`,
    async get<Data>(path: string) {
      const response = await fetch(`http://127.0.0.1:${http}${path}`)
      const text = await response.text()
      if (!response.ok) throw new Error(`${response.status} ${text}`)
      return (JSON.parse(text) as { data: Data }).data
    },
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** A trace as a tree of span names, children below their parents in order of their start. */
export function treeOf({ spans }: JaegerTrace): string[] {
  const parentOf = ({ references }: JaegerSpan) => references.find(({ refType }) => refType === 'CHILD_OF')?.spanID
  const below = (parent: string | undefined, depth: number): string[] =>
    spans
      .filter((span) => parentOf(span) === parent)
      .sort((a, b) => a.startTime - b.startTime)
      .flatMap((span) => [
        `${'  '.repeat(depth)}${span.operationName}${tagOf(span, 'error') === true ? ' !' : ''}`,
        ...below(span.spanID, depth + 1),
      ])
  return below(undefined, 0)
}

export const tagOf = ({ tags }: JaegerSpan, key: string): Tag['value'] | undefined =>
  tags.find((tag) => tag.key === key)?.value
