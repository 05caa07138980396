import { Hono, type Context } from 'hono'
import type { z } from 'zod'

import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import type { SpanTimes } from '../../semconv/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'
import { IMPORT_QUERY, type ImportedRecord, type ImportReport } from '../../wire/index.js'
import { Limiter } from '../async.js'
import { refuseForeignOrigins } from '../guard/index.js'
import { addRoute, answerProblem, BodyReader, readQuery, UNREAD_STATUS, type BodyResult } from '../http/index.js'
import { encodeInTurn, WorkerPool, type EncodedFile, type ReadyRecord, type RefusedRecord } from '../rebuild/index.js'

export interface ImportRouteOptions {
  readonly writer: Pick<SpanWriter, 'write'>
  /** Reads bodies. @default the default limits */
  readonly bodies?: BodyReader
  /** Encodes files. @default separate workers */
  readonly workers?: WorkerPool
  /** The maximum total size of the spans of one request, in bytes. @default 268_435_456 */
  readonly maxSpanBytes?: number
  /** Records with a span that starts before this time (unix nanoseconds) are refused. */
  readonly refuseBefore?: () => bigint | undefined
  /** The times at which spans may start; a record keeps others as text. @default those up to 2106 */
  readonly spanTimes?: () => SpanTimes
  /** Whether to mask secrets in every import. @default false */
  readonly redact?: boolean
}

type ImportQuery = z.output<typeof IMPORT_QUERY>

/**
 * `POST /api/records`: imports a file of records. Nothing is stored unless all records are valid; with `keepGoing=true`
 * the valid ones are stored, and the status is 207 if others are not. `redact=true` masks secrets.
 */
export function importRoute({
  writer,
  bodies = new BodyReader(),
  workers = new WorkerPool(),
  maxSpanBytes = 256 << 20,
  refuseBefore,
  spanTimes,
  redact: redactsAll = false,
}: ImportRouteOptions): Hono {
  const app = new Hono()
  // All spans of a file are held in memory, so only one file is processed at once.
  const limiter = new Limiter(1)

  addRoute(app, 'POST /api/records', refuseForeignOrigins, (c) => {
    const query = readQuery(c, IMPORT_QUERY)
    return bodies.answer(c, (read) => limiter.run(() => importFile(c, query, read)))
  })

  async function importFile(c: Context, query: ImportQuery, read: BodyResult): Promise<Response> {
    if (!read.ok) return refusal(c, UNREAD_STATUS[read.reason], { code: 'usage', detail: read.message })
    if (c.req.raw.signal.aborted) return refusal(c, 400, { code: 'usage', detail: 'The client has gone.' })
    const { keepGoing = false, redact = false, ...options } = query
    const times = spanTimes?.()
    const encoding = {
      ...options,
      ...(times ? { times } : {}),
      redacted: redact || redactsAll,
      keepGoing,
      maxSpanBytes,
      refuseBefore: refuseBefore?.(),
    }
    const file = await encodeInTurn(workers, read.body, encoding, c.req.raw.signal).catch(tooLarge)
    if (file instanceof PlanspanError) return refusal(c, 413, { code: file.code, detail: file.message })
    if (!file) {
      const detail =
        `Nothing was imported. The spans of these records take more than ${maxSpanBytes} bytes. Send the records in ` +
        'several requests, or with `planspan import`.'
      return refusal(c, 413, { code: 'usage', detail })
    }
    const { ready, refused, refusedCount } = file
    const [first] = refused
    if (first && (!keepGoing || ready.length === 0)) {
      const detail = `Nothing was imported. ${countOf(file)}, the first on line ${first.line}: ${first.detail}`
      const status = first.code === 'record_too_large' ? 413 : 400
      return refusal(c, status, { code: first.code, detail, refused, refusedCount })
    }
    const written = await writeRecords(writer, ready)
    const report: ImportReport = {
      records: written.stored.map(toJson),
      refused: [...refused, ...written.refused].sort((a, b) => a.line - b.line),
      refusedCount: refusedCount + written.refused.length,
    }
    return c.json(report, report.refusedCount > 0 ? 207 : 200)
  }

  return app
}

const toJson = ({ record: { planId, traceId, dialect, key }, spans }: ReadyRecord): ImportedRecord => ({
  planId,
  traceId,
  dialect,
  key,
  spans,
})

/** The error that a file has too many records; throws any other. */
function tooLarge(error: unknown): PlanspanError {
  if (error instanceof PlanspanError && error.code === 'request_too_large') return error
  throw error
}

const countOf = ({ refused, refusedCount }: EncodedFile): string => {
  if (refusedCount === 1) return '1 record was refused'
  return `${refusedCount > refused.length ? `More than ${refused.length}` : refusedCount} records were refused`
}

interface Refusal {
  readonly code: PlanspanErrorCode
  readonly detail: string
  readonly refused?: readonly RefusedRecord[]
  readonly refusedCount?: number
}

function refusal(
  c: Context,
  status: 400 | 408 | 413 | 415,
  { code, detail, refused = [], refusedCount = 0 }: Refusal,
): Response {
  return answerProblem(c, { status, code, detail, records: [], refused, refusedCount })
}

/** The limits of a group that is written at once: those of one insert. */
const MAX_GROUP_SPANS = 32_768
const MAX_GROUP_BYTES = 64 << 20

/** Stores records, and returns those with refused spans separately. Throws what the writer throws. */
async function writeRecords(
  writer: Pick<SpanWriter, 'write'>,
  records: readonly ReadyRecord[],
): Promise<{ stored: ReadyRecord[]; refused: RefusedRecord[] }> {
  const stored: ReadyRecord[] = []
  const refused: RefusedRecord[] = []
  for (const group of groupsOf(records)) {
    const refusals = await Promise.all(group.map((record) => writeRecord(writer, record)))
    for (const [index, record] of group.entries()) {
      const refusal = refusals[index]
      if (refusal) refused.push(refusal)
      else stored.push(record)
    }
  }
  return { stored, refused }
}

function* groupsOf(records: readonly ReadyRecord[]): Generator<ReadyRecord[]> {
  let group: ReadyRecord[] = []
  let spans = 0
  let bytes = 0
  for (const record of records) {
    const isFull = spans + record.spans > MAX_GROUP_SPANS || bytes + record.bytes > MAX_GROUP_BYTES
    if (group.length > 0 && isFull) {
      yield group
      group = []
      spans = 0
      bytes = 0
    }
    group.push(record)
    spans += record.spans
    bytes += record.bytes
  }
  if (group.length > 0) yield group
}

async function writeRecord(
  writer: Pick<SpanWriter, 'write'>,
  { line, requests }: ReadyRecord,
): Promise<RefusedRecord | undefined> {
  for (const request of requests) {
    const { rejectedSpans, errorMessage } = await writer.write(request)
    if (rejectedSpans > 0) return { line, code: 'invalid_record', detail: errorMessage }
  }
  return undefined
}
