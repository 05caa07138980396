import { expect, inject, vi } from 'vitest'

import { startServer, type RunningServer } from '../../src/server/index.js'
import { freshLanding, type Landing } from '../store/ingest/landing.js'
import { startCollector, type Collector } from './collector.js'

/** A route into its own store: where spans are sent, and where records are read. */
export interface Road {
  /** An OTLP/HTTP endpoint with /v1/traces. */
  readonly url: string
  readonly server: RunningServer
  readonly stored: Landing
}

/** The same store twice: one that the collector writes, one that planspan's own receiver writes. */
export interface TwoRoads {
  readonly bridge: Road & { readonly collector: Collector }
  readonly direct: Road
  /** Resolves when the collector's road has all that the direct one has. */
  settled(): Promise<void>
  close(): Promise<void>
}

export async function openTwoRoads(): Promise<TwoRoads> {
  const [stored, received] = [await freshLanding(), await freshLanding()]
  const serve = ({ url, database }: Landing) => startServer({ clickhouse: url, database, port: 0 })
  const servers = [await serve(stored), await serve(received)] as const
  const collector = await startCollector({
    clickhouse: { ...stored, nativePort: inject('clickhouseNativePort') },
  })
  return {
    bridge: { url: collector.url, server: servers[0], stored, collector },
    direct: { url: servers[1].url, server: servers[1], stored: received },
    settled: async () => {
      const expected = await keysOf(received)
      await vi.waitFor(async () => expect(await keysOf(stored)).toBe(expected), { timeout: 60_000, interval: 100 })
    },
    close: async () => {
      await collector.remove()
      for (const server of servers) await server.close()
      await stored.drop()
      await received.drop()
    },
  }
}

/**
 * The newest row of each span, and the number of keys in each lookup: rows of one insert are visible in one table
 * before the other, and snapshots disappear when ClickHouse merges them with their spans.
 */
const keysOf = ({ database, scalar }: Landing): Promise<string> =>
  scalar(`SELECT
    (SELECT (count(), groupBitXor(cityHash64(TraceId, SpanId))) FROM ${database}.otel_traces FINAL),
    (SELECT uniqExact(TraceId) FROM ${database}.otel_traces_trace_id_ts),
    (SELECT uniqExact(Kind, Key, TraceId) FROM ${database}.plan_keys)`)

export interface ReadRecord {
  readonly status: number
  readonly verdict: string | null
  readonly state: string | null
  readonly text: string
}

/** Requests a record from a server, as any client would. */
export async function readRecord(
  { url }: Pick<RunningServer, 'url'>,
  planId: string,
  query: Readonly<Record<string, string>> = {},
): Promise<ReadRecord> {
  const response = await fetch(`${url}/api/records/${encodeURIComponent(planId)}?${new URLSearchParams(query)}`)
  return {
    status: response.status,
    verdict: response.headers.get('planspan-verdict'),
    state: response.headers.get('planspan-state'),
    text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer()),
  }
}
