import { z } from 'zod'

import type { SpanReading } from '../mapping/index.js'
import type { SpanStorage } from '../store/index.js'
import { FOUND, json, MISSING, type RouteTable, UNAVAILABLE } from './route-table.js'

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
      taken: z
        .record(z.string(), z.string().nullable())
        .describe('Each derived attribute with its source attribute; null for several sources.'),
      ignored: z.array(z.string()).describe('The attributes that were not used.'),
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
