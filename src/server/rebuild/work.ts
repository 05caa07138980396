import { createHash } from 'node:crypto'

import { checkPlan, type Rule } from '../../check/index.js'
import { PlanspanError } from '../../error.js'
import { compareTraces, readJoined, type Candidate, type CompareTask } from './compare-traces.js'
import {
  decodeRecord,
  explainTrace,
  faultsOf,
  planCourses,
  planOutline,
  planTop,
  pricedBy,
  treeSpans,
  withEventIds,
  type DecodedRecord,
  type DecodeOptions,
  type ModelPrice,
} from '../../mapping/index.js'
import type { StoredSpan, Verdict } from '../../semconv/index.js'
import type { SelectedTrace, SpanReader } from '../../store/index.js'
import type { SpanList, SpanMatches, TraceReading } from '../../wire/index.js'
import {
  chatLines,
  checkLine,
  exportLine,
  type FaultsPage,
  isChat,
  searchSpans,
  toFaultsJson,
  toOutlineJson,
  toSpanChange,
  toSpanJson,
  toStepsJson,
  toStructureJson,
  toVerdictJson,
} from '../json/index.js'
import { readFeed, spanChanges, type FeedRead, type FeedTask, type KnownSpans, type SpanChanges } from './read-feed.js'

/** The reader of the rows that a record is rebuilt from. */
export interface RowReader extends Pick<SpanReader, 'readTrace' | 'readTraces' | 'findAgentTraces'> {
  /** Reads the spans of the trace that contains a plan or sub-plan; none if several traces contain it. */
  readOnlyTrace(planId: string): Promise<StoredSpan[]>
}

/** The bytes to send, and their checksum for ETags. */
export interface Body {
  readonly body: Uint8Array<ArrayBuffer>
  readonly checksum: string
}

/** A rebuilt record, with its text as bytes to send. */
export interface RebuiltRecord extends Omit<DecodedRecord, 'text'>, Body {}

export interface RebuiltEvents extends RebuiltRecord {
  readonly eventCount: number
}

export interface RecordTask {
  readonly trace: SelectedTrace
  /** Whether to include the cycles of its agents from other records. */
  readonly joined: boolean
  readonly options: DecodeOptions
}

/** The record of a plan that only one trace contains; not rebuilt if several traces contain it. */
export interface OnlyRecordTask {
  readonly onlyTraceOf: string
  readonly options: DecodeOptions
}

/** A record to export, and the cursor after it. */
export interface ExportedRecord extends RecordTask {
  readonly planId: string
  readonly cursor: string
}

export interface ExportTask {
  readonly records: readonly ExportedRecord[]
  readonly exact: boolean
  /** Whether redacted and partial records are converted to training messages as well. */
  readonly incomplete: boolean
}

export interface CheckTask {
  readonly plans: readonly Pick<Candidate, 'id' | 'trace'>[]
  readonly rules: readonly Rule[]
  readonly prices: ReadonlyMap<string, ModelPrice>
  readonly now: bigint
}

export interface SpansTask {
  readonly trace: SelectedTrace
  readonly now: bigint
}

/** The prices of models by their names, for the cost of each call. */
interface Priced {
  readonly prices: ReadonlyMap<string, ModelPrice>
}

/**
 * The tasks over the rows of a trace, by name. They are functions of data that can be sent to another thread. The bytes
 * in `body` are transferred back, not copied.
 */
export const WORK = {
  async record(task: RecordTask | OnlyRecordTask, reader: RowReader): Promise<RebuiltRecord | undefined> {
    const decoded = await decode(task, reader)
    return decoded && withBody(decoded, decoded.text)
  },

  /** The lines of an export, for records whose rows are read together. */
  async export(
    { records, exact, incomplete }: ExportTask,
    reader: RowReader,
  ): Promise<{ readonly body: Uint8Array<ArrayBuffer> }> {
    const together = await readTogether(records, reader)
    const lines: string[] = []
    for (const { planId, cursor, ...task } of records) {
      const record = await decode(task, together).catch(asProblem)
      const of = { planId, traceId: task.trace.traceId, cursor, exact }
      lines.push(isChat(record) ? chatLines(record, { ...of, incomplete }) : exportLine(record, of))
    }
    return { body: encoder.encode(lines.join('')) }
  },

  /** The lines of a check, for plans whose rows are read together. */
  async check(
    { plans, rules, prices, now }: CheckTask,
    reader: RowReader,
  ): Promise<{ readonly body: Uint8Array<ArrayBuffer> }> {
    const costOfCall = pricedBy(prices)
    const together = await readTogether(plans, reader)
    const lines: string[] = []
    for (const { id: planId, trace } of plans) {
      const spans = await readJoined(together, trace)
      lines.push(checkLine(checkPlan(spans, rules, { planId, now, costOfCall }), { planId, traceId: trace.traceId }))
    }
    return { body: encoder.encode(lines.join('')) }
  },

  /** The verdict on a record alone. */
  async verdict(task: RecordTask, reader: RowReader): Promise<{ readonly verdict: Verdict | undefined }> {
    return { verdict: (await decode(task, reader))?.verdict }
  },

  /** The JSON of the verdict on a record, with what is missing. */
  async gaps(task: RecordTask | OnlyRecordTask, reader: RowReader): Promise<Body | undefined> {
    const decoded = await decode(task, reader)
    return decoded && asBody(toVerdictJson(decoded))
  },

  /** The events of a stored record after the last event that a client has seen. */
  async events(
    { after, ...task }: RecordTask & { readonly after: string | undefined },
    reader: RowReader,
  ): Promise<RebuiltEvents | undefined> {
    const decoded = await decode(task, reader)
    if (!decoded) return undefined
    const { text, eventCount } = withEventIds(decoded.text, after)
    return { ...withBody(decoded, text), eventCount }
  },

  /** The JSON of a trace's spans, in order of their start. */
  async spans({ trace, now }: SpansTask, reader: RowReader): Promise<Body> {
    const spans = treeSpans(await readJoined(reader, trace), { now })
    return asBody({ spans: spans.map(toSpanJson) } satisfies SpanList)
  },

  /** The JSON of the tree of a trace's spans, without payloads. */
  async structure({ trace, now, prices }: SpansTask & Priced, reader: RowReader): Promise<Body> {
    const spans = treeSpans(await readJoined(reader, trace), { now, costOfCall: pricedBy(prices) })
    return asBody(toStructureJson(trace.traceId, spans))
  },

  /** The same with the steps of its plans. */
  async outline({ trace, now, prices }: SpansTask & Priced, reader: RowReader): Promise<Body> {
    const outline = planOutline(await readJoined(reader, trace), { now, costOfCall: pricedBy(prices) })
    return asBody(toOutlineJson(trace.traceId, outline))
  },

  /** The same for the top spans of a long trace. */
  async top({ trace }: SpansTask, reader: RowReader): Promise<Body> {
    return asBody(toOutlineJson(trace.traceId, planTop(await reader.readTrace(trace.traceId))))
  },

  /** The JSON of a comparison; or which plan is missing in its trace. */
  async compare(task: CompareTask, reader: RowReader): Promise<Body | { readonly missing: Candidate }> {
    const compared = await compareTraces(task, reader)
    return 'missing' in compared ? compared : asBody(compared)
  },

  /** The JSON of one span of a trace; undefined if the span is missing. */
  async span(
    { trace, now, spanId }: SpansTask & { readonly spanId: string },
    reader: RowReader,
  ): Promise<Body | undefined> {
    const span = treeSpans(await readJoined(reader, trace), { now }).find((one) => one.spanId === spanId)
    return span && asBody(toSpanJson(span))
  },

  /** The JSON of the spans of a trace that contain a text. */
  async matches({ trace, now, text }: SpansTask & { readonly text: string }, reader: RowReader): Promise<Body> {
    const spans = searchSpans(treeSpans(await readJoined(reader, trace), { now }), text)
    return asBody({ traceId: trace.traceId, spans } satisfies SpanMatches)
  },

  /** The JSON of the faults of a trace: failures, unsafe actions and waits. */
  async faults({ trace, now, page }: SpansTask & { readonly page: FaultsPage }, reader: RowReader): Promise<Body> {
    return asBody(toFaultsJson(trace.traceId, faultsOf(await readJoined(reader, trace), { now }), page))
  },

  /** The JSON of the plans of a trace: their steps with agents, versions, reviews and waits. */
  async steps({ trace, now }: SpansTask, reader: RowReader): Promise<Body> {
    return asBody(toStepsJson(trace.traceId, planCourses(await readJoined(reader, trace), { now })))
  },

  /** The spans of a trace that are new to a client or have changed. */
  async spanChanges(
    {
      trace,
      now,
      prices,
      known,
      fields,
    }: SpansTask & Priced & { readonly known: KnownSpans; readonly fields: 'structure' | undefined },
    reader: RowReader,
  ): Promise<SpanChanges> {
    const toJson = fields === 'structure' ? toSpanChange : toSpanJson
    const spans = treeSpans(await readJoined(reader, trace), { now, costOfCall: pricedBy(prices) })
    return spanChanges(
      spans.map((span) => [span.spanId, toJson(span)] as const),
      known,
    )
  },

  /** The JSON of how the spans of a trace were interpreted, and why. */
  async reading({ traceId }: { readonly traceId: string }, reader: RowReader): Promise<Body> {
    const spans = explainTrace(await reader.readTrace(traceId))
    return asBody({ spans } satisfies TraceReading)
  },

  /** The new events of a live plan. */
  async feed(task: FeedTask, reader: RowReader): Promise<FeedRead> {
    return readFeed(await reader.readTrace(task.target.traceId), task)
  },
}

export type Work = typeof WORK
export type WorkName = keyof Work
export type TaskOf<Name extends WorkName> = Parameters<Work[Name]>[0]
export type ResultOf<Name extends WorkName> = Awaited<ReturnType<Work[Name]>>

/** Returns a reader that has read the traces of a batch together. */
async function readTogether(
  batch: readonly { readonly trace: SelectedTrace }[],
  reader: RowReader,
): Promise<RowReader> {
  const traces = await reader.readTraces([...new Set(batch.map(({ trace }) => trace.traceId))])
  return {
    readTrace: async (traceId) => traces.get(traceId) ?? (await reader.readTrace(traceId)),
    readTraces: (traceIds) => reader.readTraces(traceIds),
    readOnlyTrace: (planId) => reader.readOnlyTrace(planId),
    findAgentTraces: (options) => reader.findAgentTraces(options),
  }
}

async function decode(task: RecordTask | OnlyRecordTask, reader: RowReader): Promise<DecodedRecord | undefined> {
  return decodeRecord(await readSpansOf(task, reader), task.options)
}

async function readSpansOf(task: RecordTask | OnlyRecordTask, reader: RowReader): Promise<readonly StoredSpan[]> {
  if ('onlyTraceOf' in task) return reader.readOnlyTrace(task.onlyTraceOf)
  return task.joined ? readJoined(reader, task.trace) : reader.readTrace(task.trace.traceId)
}

/** Returns the problem of a failed record. Other records are not affected. */
function asProblem(error: unknown): PlanspanError {
  if (error instanceof PlanspanError) return error
  throw error
}

function withBody(decoded: DecodedRecord, text: string): RebuiltRecord {
  const { text: _, ...record } = decoded
  return { ...record, ...bodyOf(text) }
}

const asBody = (json: unknown): Body => bodyOf(JSON.stringify(json))

const encoder = new TextEncoder()
function bodyOf(text: string): Body {
  const body = encoder.encode(text)
  return { body, checksum: createHash('sha256').update(body).digest('base64url') }
}
