import { z } from 'zod'

import type { SpanReading } from '../../mapping/index.js'
import type { SpanStorage } from '../../store/index.js'

/** The answer of `GET /api/traces/{traceId}/reading`. */
export const traceReadingSchema = z.object({
  spans: z.array(
    z.object({
      spanId: z.string(),
      parentSpanId: z.string().describe('Where it stands in the tree of what was read; empty for a root.'),
      name: z.string(),
      role: z.string().nullable().describe('What it stands for; null where it is looked through.'),
      convention: z.string().nullable().describe('Of its instrumentation; null for a span of no agent.'),
      why: z.string().describe('What told the role, in words.'),
      taken: z
        .record(z.string(), z.string().nullable())
        .describe('Each attribute that was made, and the one that it was made of; null for several.'),
      ignored: z.array(z.string()).describe('The attributes that nothing was taken from.'),
      misspelt: z.record(z.string(), z.string()).describe('Attributes that look like others, and those.'),
    }),
  ),
})

/** How many spans of a trace were read. */
export interface TraceReading {
  readonly spans: readonly SpanReading[]
}

/** The answer of `GET /api/storage`. */
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
        oldestDays: z.number().describe('The age of the newest span in the oldest part, whole days.'),
      }),
    )
    .describe('Empty where ClickHouse’s storage policy `default` has all of them.'),
  cold: z
    .object({ volume: z.string(), afterDays: z.number() })
    .nullable()
    .describe('The days after which spans move to a volume; null if none do.'),
  spanTimes: z
    .object({ from: z.string(), until: z.string() })
    .nullable()
    .describe('The times at which spans may start, ISO 8601; null if all may that can be stored.'),
})
