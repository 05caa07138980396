import type { IngestMeter, Load } from '../metrics/ingest-meter.js'
import type { Encoding, WriteRequest } from './frame.js'
import { GroupCommit } from './group-commit.js'
import { InsertSpans } from './insert-spans.js'
import { STORED, type WriteResult } from './isolate.js'
import { Journal } from './journal.js'
import { Pace } from './pace.js'
import { storeRequests, type StoreRequestsOptions } from './store-requests.js'
import { takeOver } from './take-over.js'

export interface SpanWriterOptions extends StoreRequestsOptions {
  /** @default 65_536 */
  readonly maxBatchSpans?: number
  /** @default 67_108_864 */
  readonly maxBatchBytes?: number
  /** The largest number of spans queued or being inserted, for each encoding. @default 262_144 */
  readonly maxQueuedSpans?: number
  /** @default 268_435_456 */
  readonly maxQueuedBytes?: number
  /** A request that could only be stored later than this is refused, milliseconds. @default 5_000 */
  readonly maxWaitMs?: number
  /** Whether small requests of senders that wait for each answer are acknowledged from the journal. @default false */
  readonly journal?: boolean
  /** Is told what is stored, and how long that takes. @default one that nobody asks */
  readonly meter?: IngestMeter
}

/** Writes OTLP requests to the landing tables. */
export interface SpanWriter {
  /**
   * Resolves when ClickHouse has the request, except for spans that it refused. Throws `store_busy` if it would have to
   * wait for too long, `store_unreachable`, `schema_mismatch` and `clickhouse_failed`: send the request again later;
   * `access_denied` if it may not: don't.
   *
   * `marks` are what the sender is known by: requests of senders that take their time may wait for each other. Without
   * any, a request never does, and is in the tables when this resolves. A request leaves the queue when its sender has
   * `gone`.
   */
  write(request: WriteRequest, marks?: readonly string[], gone?: AbortSignal): Promise<WriteResult>
  /** Throws `store_busy` if a request of so many bytes would have to wait for too long. */
  check(encoding: Encoding, bytes: number): void
  /** Resolves when all that was acknowledged is in the tables. */
  settled(): Promise<void>
  /**
   * Brings to the tables what others left in the journal, `all` of it at the start. Throws `store_unreachable`,
   * `clickhouse_failed`.
   */
  takeOver(which: 'all' | 'orphaned'): Promise<void>
  /** Stops accepting requests; resolves when all accepted ones are stored or have failed. */
  close(): Promise<void>
}

/** A request counts as a span more for each so many of its parts: ClickHouse's memory goes by these, too. */
const PARTS_A_SPAN = 32

/** Senders that were answered together send again within less than this. */
const QUIET_MS = 20
/** With more spans under way, those of a small request cost little more. */
const FEW_SPANS = 8192

/**
 * A writer that groups the requests that arrive during an insert into the next one, and those of senders that can wait,
 * for each encoding.
 */
export function createSpanWriter(options: SpanWriterOptions): SpanWriter {
  const spans = new InsertSpans()
  const journal = options.journal ? new Journal(options, spans) : undefined
  const lane = (encoding: Encoding) => {
    const pace = new Pace()
    const group = groupCommit(options, encoding, spans)
    return {
      group,
      async write(request: WriteRequest, marks: readonly string[], gone: AbortSignal | undefined) {
        spans.note(request)
        const isBrisk = pace.isBrisk(marks)
        const patienceMs = pace.comes(marks)
        const isSmall = group.queued.spans + request.spans <= FEW_SPANS
        try {
          if (isBrisk && isSmall && journal?.hasRoom(request)) return await journal.take(request, group)
          return await group.add(request, { patienceMs, gone })
        } finally {
          pace.answered(marks)
        }
      },
    }
  }
  const lanes = { protobuf: lane('protobuf'), json: lane('json') }
  const groups = [lanes.protobuf.group, lanes.json.group]
  options.meter?.watch({
    queues: { protobuf: () => loadOf(lanes.protobuf.group), json: () => loadOf(lanes.json.group) },
    ...(journal && { journal: () => journal.load }),
  })
  return {
    write: async (request, marks = [], gone) =>
      request.spans === 0 ? STORED : lanes[request.encoding].write(request, marks, gone),
    check: (encoding, bytes) => lanes[encoding].group.check({ spans: 0, bytes }),
    async settled() {
      for (const group of groups) group.hurry()
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

const loadOf = ({ queued, since }: GroupCommit<WriteRequest, WriteResult>): Load => ({ ...queued, since })

const groupCommit = (
  options: SpanWriterOptions,
  encoding: Encoding,
  spans: InsertSpans,
): GroupCommit<WriteRequest, WriteResult> =>
  new GroupCommit({
    commit: (requests) => {
      const stored = () => spans.tell('insert spans', requests, () => storeRequests(options, encoding, requests))
      return options.meter ? options.meter.time(requests, stored) : stored()
    },
    size: ({ spans, parts = 0, body }) => ({ spans: Math.max(spans, parts / PARTS_A_SPAN), bytes: body.length }),
    maxBatchSpans: options.maxBatchSpans ?? 65_536,
    maxBatchBytes: options.maxBatchBytes ?? 64 << 20,
    maxQueuedSpans: options.maxQueuedSpans ?? 262_144,
    maxQueuedBytes: options.maxQueuedBytes ?? 256 << 20,
    maxWaitMs: options.maxWaitMs ?? 5000,
    quietMs: QUIET_MS,
  })
