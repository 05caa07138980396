import type { IngestMeter, Load } from '../metrics/ingest-meter.js'
import { KINDS, type Encoding, type RequestKind, type WriteRequest } from './frame.js'
import { GroupCommit } from './group-commit.js'
import { InsertTracer, Journal } from './journal.js'
import { STORED, type WriteResult } from './isolate.js'
import { Pace } from './pace.js'
import { storeRequests, type StoreRequestsOptions } from './store-requests.js'
import { takeOver } from './journal-table.js'
import { checkRoom } from '../upkeep/disks.js'

export interface SpanWriterOptions extends StoreRequestsOptions {
  /** @default 65_536 */
  readonly maxBatchSpans?: number
  /** @default 67_108_864 */
  readonly maxBatchBytes?: number
  /** The maximum number of spans that are queued or being inserted, for each signal and encoding. @default 262_144 */
  readonly maxQueuedSpans?: number
  /** @default 268_435_456 */
  readonly maxQueuedBytes?: number
  /**
   * The longest expected wait of a request; a request that would wait longer is rejected, milliseconds. @default 5_000
   */
  readonly maxWaitMs?: number
  /** Whether the journal acknowledges small requests of senders that wait for each response. @default false */
  readonly journal?: boolean
  /** Measures inserts and stored spans. @default no metrics */
  readonly meter?: IngestMeter
}

/** Writes OTLP requests to the landing tables. */
export interface SpanWriter {
  /**
   * Resolves when ClickHouse has stored the request, except for rejected spans. Throws `store_busy` if the request
   * would wait too long, `store_unreachable`, `schema_mismatch` and `clickhouse_failed`, after which the request can be
   * sent again later. Throws `access_denied` if the user lacks a right; a retry would fail, too.
   *
   * `marks` identify the sender. Requests of senders that pause between requests may wait for each other. A request
   * without marks does not wait, and is in the span tables when this resolves. Aborting `gone` removes the request from
   * the queue.
   */
  write(request: WriteRequest, marks?: readonly string[], gone?: AbortSignal): Promise<WriteResult>
  /** Throws `store_busy` if a request of this size would have to wait too long. */
  check(kind: RequestKind, bytes: number): void
  /** Resolves when all acknowledged requests are in the span tables, or as soon as the tables reject some of them. */
  settled(): Promise<void>
  /**
   * Stores the requests that other processes left in the journal in the span tables: those of `all` segments, for use
   * at startup, or of `orphaned` ones. Throws `store_unreachable`, `clickhouse_failed`.
   */
  takeOver(which: 'all' | 'orphaned'): Promise<void>
  /** Stops accepting requests; resolves when all accepted requests are stored or have failed. */
  close(): Promise<void>
}

/** The names of the spans of inserts. */
const INSERTS = { traces: 'insert spans', logs: 'insert logs' } as const

/** The number of parts that counts as one span, because ClickHouse's memory depends on them, too. */
const PARTS_PER_SPAN = 32

/** Senders whose requests were answered together send their next ones within this time. */
const QUIET_MS = 20
/** The size of an insert from which the spans of another small request hardly add to its duration. */
const FEW_SPANS = 8192

/**
 * Creates a writer that groups requests by signal and encoding: those that arrive during an insert form the next one,
 * together with those of senders that can wait.
 */
export function createSpanWriter(options: SpanWriterOptions): SpanWriter {
  const tracer = new InsertTracer()
  const journal = options.journal ? new Journal(options, tracer) : undefined
  const lane = (kind: Required<RequestKind>) => {
    const pace = new Pace()
    const group = groupCommit(options, kind, tracer)
    return {
      kind,
      group,
      async write(request: WriteRequest, marks: readonly string[], gone: AbortSignal | undefined) {
        tracer.remember(request)
        const isPrompt = pace.isPrompt(marks)
        const patienceMs = pace.recordRequest(marks)
        const isSmall = group.queued.spans + request.spans <= FEW_SPANS
        try {
          if (isPrompt && isSmall && journal?.hasRoom(request)) return await journal.add(request, group)
          return await group.add(request, { patienceMs, gone })
        } finally {
          pace.recordResponse(marks)
        }
      },
    }
  }
  const lanes = KINDS.map(lane)
  const laneOf = ({ signal = 'traces', encoding }: RequestKind) =>
    lanes.find(({ kind }) => kind.signal === signal && kind.encoding === encoding) as (typeof lanes)[number]
  const groups = lanes.map(({ group }) => group)
  const loadOf = (encoding: Encoding) => () =>
    sumLoads(lanes.filter(({ kind }) => kind.encoding === encoding).map(({ group }) => group))
  options.meter?.watch({
    queues: { protobuf: loadOf('protobuf'), json: loadOf('json') },
    ...(journal && { journal: () => journal.load }),
  })
  return {
    async write(request, marks = [], gone) {
      if (request.spans === 0) return STORED
      // The remaining space is for requests that are acknowledged.
      if (options.reserve && options.reserve.missing > 0) await checkRoom(options)
      return laneOf(request).write(request, marks, gone)
    },
    check: (kind, bytes) => laneOf(kind).group.check({ spans: 0, bytes }),
    async settled() {
      for (const group of groups) group.flush()
      await journal?.settled()
    },
    async takeOver(which) {
      if (journal) await takeOver(options, which)
    },
    async close() {
      const closed = journal?.close()
      await Promise.all(groups.map((group) => group.close()))
      await closed
    },
  }
}

const sumLoads = (groups: readonly GroupCommit<WriteRequest, WriteResult>[]): Load => {
  const begun = groups.flatMap(({ since }) => since ?? [])
  return {
    spans: groups.reduce((sum, { queued }) => sum + queued.spans, 0),
    bytes: groups.reduce((sum, { queued }) => sum + queued.bytes, 0),
    since: begun.toSorted((a, b) => a - b)[0],
  }
}

const groupCommit = (
  options: SpanWriterOptions,
  kind: Required<RequestKind>,
  tracer: InsertTracer,
): GroupCommit<WriteRequest, WriteResult> =>
  new GroupCommit({
    commit: (requests) => {
      const store = () => tracer.trace(INSERTS[kind.signal], requests, () => storeRequests(options, kind, requests))
      return options.meter ? options.meter.time(requests, store) : store()
    },
    size: ({ spans, parts = 0, body }) => ({ spans: Math.max(spans, parts / PARTS_PER_SPAN), bytes: body.length }),
    maxBatchSpans: options.maxBatchSpans ?? 65_536,
    maxBatchBytes: options.maxBatchBytes ?? 64 << 20,
    maxQueuedSpans: options.maxQueuedSpans ?? 262_144,
    maxQueuedBytes: options.maxQueuedBytes ?? 256 << 20,
    maxWaitMs: options.maxWaitMs ?? 5000,
    quietMs: QUIET_MS,
  })
