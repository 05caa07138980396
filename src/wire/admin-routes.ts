import { z } from 'zod'

import type { AccessReport } from '../access/index.js'
import type { SpanReading } from '../mapping/index.js'
import type { BrokenPart, SpanStorage, SpanLayout, Upkeep } from '../store/index.js'
import { problemSchema, FOUND, json, MISSING, UNAVAILABLE, type RouteTable } from './route-table.js'

/** The body of `POST /api/session`. */
export const SESSION_BODY = z.strictObject({ token: z.string().max(1_000).describe('A token with the scope read.') })

/** The response of `GET /api/session`. */
export const sessionSchema = z.object({
  token: z
    .object({
      name: z.string(),
      scopes: z.array(z.string()).readonly().describe('The scopes of this request.'),
      database: z.string().exactOptional().describe('The tenant’s database; absent for the server’s default database.'),
      expiresAt: z.string().exactOptional().describe('The time when the token expires, ISO 8601.'),
    })
    .nullable()
    .describe('The token of the request; null on a server without tokens.'),
})

export const SESSION_ROUTES = {
  // The token of a new session is in the body of the request.
  'GET /api/session': {
    scope: 'read',
    summary: 'Returns the token that authenticates the request.',
    answers: { 200: json('The token.', sessionSchema) },
  },
  'POST /api/session': {
    scope: 'open',
    summary: 'Exchanges a token for a read-only session cookie, for planspan’s own page.',
    body: SESSION_BODY,
    answers: {
      204: { description: 'The cookie.', headers: ['set-cookie'] },
      400: FOUND[400],
      401: json('The token is unknown or has expired.', problemSchema),
      403: json('The token lacks the scope read, or a page of another origin sent the request.', problemSchema),
      404: json('The server has no tokens.', problemSchema),
      429: json('Too many requests with the token. Retry after Retry-After seconds.', problemSchema),
      503: FOUND[503],
    },
  },
  'DELETE /api/session': {
    scope: 'open',
    summary: 'Removes the session cookie.',
    answers: {
      204: { description: 'The cookie is removed.', headers: ['set-cookie'] },
      403: json('A page of another origin sent the request.', problemSchema),
    },
  },
} as const satisfies RouteTable

/** The response of `GET /api/traces/{traceId}/reading`. */
export const traceReadingSchema = z.object({
  spans: z.array(
    z.object({
      spanId: z.string(),
      parentSpanId: z.string().describe('The parent in the interpreted tree; empty for a root.'),
      name: z.string(),
      role: z.string().nullable().describe('The role of the span; null for a span that is skipped.'),
      convention: z
        .string()
        .nullable()
        .describe('The convention of its instrumentation; null for a span outside of agents.'),
      why: z.string().describe('The rule that decided the role.'),
      ended: z
        .object({
          state: z.string(),
          why: z.string().describe('The rule that decided the state, and the span below that it is about.'),
        })
        .nullable()
        .describe('How the span ended. Null for an open span, and for spans of planspan.'),
      taken: z
        .record(z.string(), z.string().nullable())
        .describe(
          'Each derived attribute with its source: an attribute, or messages or an agent in words; null for several sources.',
        ),
      ignored: z.array(z.string()).describe('The attributes that were not used.'),
      missing: z.string().nullable().describe('What the span lacks, in words; null if it lacks nothing.'),
      misspelt: z
        .record(z.string(), z.string())
        .describe('Attributes that look like misspellings, with the attribute that was probably meant.'),
    }),
  ),
})

/** How planspan interprets each span of a trace. */
export interface TraceReading {
  readonly spans: readonly SpanReading[]
}

/** The response of `GET /api/storage`. */
export interface StorageReport extends SpanStorage {
  readonly spanTimes: { readonly from: string; readonly until: string } | null
}
export const storageSchema: z.ZodType<StorageReport> = z.object({
  disks: z
    .array(
      z.object({
        disk: z.string(),
        volume: z.string(),
        rows: z.number(),
        bytes: z.number(),
        oldestDays: z.number().describe('The age of the newest span in the oldest part, full days.'),
      }),
    )
    .describe('Empty if all spans are in ClickHouse’s storage policy `default`.'),
  cold: z
    .object({ volume: z.string(), afterDays: z.number() })
    .nullable()
    .describe('The days after which spans move to a volume; null if they do not move.'),
  spanTimes: z
    .object({ from: z.string(), until: z.string() })
    .nullable()
    .describe('The accepted start times of spans, ISO 8601; null if there is no limit.'),
})

export const STORE_ROUTES = {
  'GET /api/traces/{traceId}/reading': {
    scope: 'read',
    client: ['traceReading'],
    summary: 'Explains how planspan interprets each span of a trace.',
    answers: { 200: json('The spans.', traceReadingSchema), 400: FOUND[400], 404: MISSING, 503: UNAVAILABLE },
  },
  'GET /api/storage': {
    scope: 'read',
    client: ['storage'],
    summary: 'Returns the disks that store the spans.',
    answers: { 200: json('The disks.', storageSchema), 503: UNAVAILABLE },
  },
} as const satisfies RouteTable

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
      /** The parts of tables that ClickHouse could not read: their rows are missing. Omitted without any. */
      readonly degraded?: readonly BrokenPart[]
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
