import { z } from 'zod'

import type { AccessReport } from '../access/index.js'
import type { SpanLayout, Upkeep } from '../store/index.js'
import { json, type RouteTable } from './route-table.js'

/** The state of the server’s certificate. */
export interface CertificateReport {
  /** ISO 8601. */
  readonly endsAt: string
  /** Whether it expires within two weeks, or within a third of its validity if that is shorter. */
  readonly endsSoon: boolean
  /** The reason why a newer certificate in the files is not used. */
  readonly failure?: string
}

/** The state of the indexer, which writes the rows that lists and SQL read. Its lag does not affect readiness. */
export interface IndexerState {
  /** False if ClickHouse's user may only read, and after an error until the indexer retries. */
  readonly running: boolean
  /** The age of the oldest part of the span table that is not indexed, seconds; 0 without any. */
  readonly lagSeconds: number
  /** The number of rows of the span table that are not indexed. */
  readonly pendingRows: number
  /** The latest error; the indexer retries. */
  readonly error?: string
}

/** The response of `GET /readyz`. */
export type Readiness =
  | {
      readonly status: 'ready'
      readonly planspan: string
      readonly node: string
      readonly clickhouse: string
      readonly database: string
      /** False if ClickHouse's user may only read: nothing can be written, and all spans are refused. */
      readonly writable: boolean
      /** The indexer of this server. */
      readonly indexer: IndexerState
      /** ClickHouse's clock minus the server's, milliseconds. */
      readonly clockDifferenceMs: number
      /** The server's clock when it answered, ISO 8601. */
      readonly time: string
      /** With `?layout`, if the server's user may read the system tables. */
      readonly layout?: SpanLayout
      /** As `layout`. */
      readonly upkeep?: Upkeep
      /** On a server with tokens. */
      readonly access?: AccessReport
      /** On a server with TLS. */
      readonly certificate?: CertificateReport
    }
  | {
      readonly status: 'unavailable'
      readonly planspan: string
      readonly node: string
      readonly code: string
      /** The cause, and what to do; with the code `disk_full`, records can still be read. */
      readonly reason: string
    }
  /** For requests without a token on a server with tokens. */
  | { readonly status: 'ready' | 'unavailable'; readonly planspan: null }

export const healthSchema = z.looseObject({ status: z.enum(['alive', 'ready', 'unavailable']) })

export const HEALTH_ROUTES = {
  'GET /healthz': {
    scope: 'open',
    summary: 'Reports that the process is alive.',
    answers: { 200: json('The process is alive.', healthSchema) },
  },
  'GET /readyz': {
    scope: 'brief',
    client: ['readiness'],
    summary:
      'Reports whether the store is reachable and has planspan’s tables; with `layout` also the layout of the spans.',
    answers: {
      200: json('The store is ready.', healthSchema),
      503: json('The store is unavailable for the given `reason`.', healthSchema),
    },
  },
} as const satisfies RouteTable
