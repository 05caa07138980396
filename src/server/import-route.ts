import { Hono, type Context } from 'hono'
import { z } from 'zod'

import type { PlanspanErrorCode } from '../error.js'
import { DIALECT_NAMES } from '../mapping/index.js'
import type { SpanWriter } from '../store/ingest/index.js'
import { encodeFile, type ReadyRecord, type RefusedRecord } from './encode-file.js'
import type { Problem } from './problem.js'
import { booleanParameter, readQuery } from './query.js'
import { readBody } from './read-body.js'
import { refuseForeignOrigins } from './known-hosts.js'
import { writeRecords } from './write-records.js'

/** A record that is stored. */
export interface ImportedRecord {
  planId: string
  traceId: string
  dialect: string
  /** What names the record across its generations. */
  key: string
  spans: number
}

/** The answer of `POST /api/records`. */
export interface ImportReport {
  records: ImportedRecord[]
  refused: RefusedRecord[]
}

export interface ImportRouteOptions {
  readonly writer: Pick<SpanWriter, 'write'>
  /** The largest body taken, in bytes, packed and unpacked. @default 67_108_864 */
  readonly maxBodyBytes?: number
  /** Records with a span that starts before this time (unix nanoseconds) are refused. */
  readonly refuseBefore?: () => bigint | undefined
}

const IMPORT_QUERY = z.strictObject({
  format: z.enum(['auto', ...DIALECT_NAMES]).exactOptional(),
  source: z.string().exactOptional(),
  timeZone: z.string().exactOptional(),
  keepGoing: booleanParameter.exactOptional(),
})

/**
 * `POST /api/records`: the bytes of a file of records. Nothing is stored unless all of its records are good; with
 * `keepGoing=true` the good ones are, and the answer is 207 where others are not.
 */
export function importRoute({ writer, maxBodyBytes = 64 << 20, refuseBefore }: ImportRouteOptions): Hono {
  const app = new Hono()

  app.post('/api/records', refuseForeignOrigins, async (c) => {
    const { keepGoing = false, ...options } = readQuery(c, IMPORT_QUERY)
    const read = await readBody(c, maxBodyBytes)
    if (!read.ok) return refusal(c, read.status, { code: 'usage', detail: read.message, refused: [] })
    const { ready, refused } = await encodeFile(read.body, { ...options, refuseBefore: refuseBefore?.() })
    const [first] = refused
    if (first && (!keepGoing || ready.length === 0)) {
      const detail = `Nothing was imported. ${countOf(refused)}, the first on line ${first.line}: ${first.detail}`
      return refusal(c, 400, { code: first.code, detail, refused })
    }
    const written = await writeRecords(writer, ready)
    const report: ImportReport = {
      records: written.stored.map(toJson),
      refused: [...refused, ...written.refused].sort((a, b) => a.line - b.line),
    }
    return c.json(report, report.refused.length > 0 ? 207 : 200)
  })

  return app
}

const toJson = ({ record: { planId, traceId, dialect, key }, spans }: ReadyRecord): ImportedRecord => ({
  planId,
  traceId,
  dialect,
  key,
  spans,
})

const countOf = ({ length }: readonly RefusedRecord[]): string =>
  length === 1 ? '1 record was refused' : `${length} records were refused`

interface Refusal {
  readonly code: PlanspanErrorCode
  readonly detail: string
  readonly refused: RefusedRecord[]
}

function refusal(c: Context, status: 400 | 413 | 415, { code, detail, refused }: Refusal): Response {
  const body: Problem & ImportReport = { status, code, detail, records: [], refused }
  return c.json(body, status, { 'content-type': 'application/problem+json' })
}
