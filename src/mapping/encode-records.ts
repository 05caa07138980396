import { createHash } from 'node:crypto'
import { PlanspanError } from '../error.js'
import { ATTR, SCHEMA_VERSION, type Span, type SpanTimes, toWellFormed } from '../semconv/index.js'
import { assembleSpans } from './assemble-spans.js'
import { hashId, buildForest, foldSpans, toStoredSpan } from './tree/index.js'
import { type Dialect, type DialectName, type EncodeContext, writeRecord } from './dialects/index.js'
import {
  type JsonNode,
  diffFromCanonical,
  type Deviation,
  type Residual,
  detectStyle,
  type JsonStyle,
} from './json/index.js'
import { readDocument, RecordStream, type FoundRecord } from './stream/index.js'
import { showStoppedActions } from './faults/index.js'
import { checkTimeZone } from './record-object/index.js'
import { withTimePaths } from './unread-times.js'

/** How records are read and encoded as spans. */
export interface EncodeOptions {
  /** @default 'auto', detected from the content */
  readonly format?: 'auto' | DialectName
  /** Separates records with the same key from different places. @default '' */
  readonly source?: string
  /** The IANA zone of times without a zone. @default 'UTC' */
  readonly timeZone?: string
  /** Whether values will be masked before sending, which gives the spans different ids. @default false */
  readonly redacted?: boolean
  /** The maximum number of spans per record. @default no limit */
  readonly maxSpans?: number
  /** The valid span times. The record keeps other times as text. @default times up to 2106 */
  readonly times?: SpanTimes
}

/** A record as spans, the root first. */
export interface EncodedRecord {
  readonly dialect: DialectName
  readonly era: string
  /** The record's name, the same in all its generations. */
  readonly key: string
  readonly source: string
  readonly planId: string
  readonly traceId: string
  /** SHA-256 of `text` in UTF-8, hex. */
  readonly digest: string
  /** The record's exact text. */
  readonly text: string
  readonly spans: readonly Span[]
}

/**
 * Encodes the records of a file as spans, one trace each. The same bytes and options always give the same spans.
 * @throws PlanspanError `invalid_record` for malformed JSON or UTF-8, `unknown_dialect` for an unknown record format,
 * `usage` for an unknown time zone
 */
export function* encodeRecords(bytes: Uint8Array, options: EncodeOptions = {}): Generator<EncodedRecord> {
  const encode = recordEncoder(options)
  const stream = new RecordStream(options.format)
  let isEmpty = true
  for (const records of [stream.push(bytes), stream.end()]) {
    for (const found of records) {
      if ('error' in found) throw found.error
      yield encode(found)
      isEmpty = false
    }
  }
  if (isEmpty) throw emptyFile()
}

/** The error for a file that contains only white space. */
export const emptyFile = (): PlanspanError =>
  new PlanspanError('invalid_record', 'The file is empty: expected a record.')

/**
 * Returns a function that encodes the records of one file, in order. It numbers records with equal digests, to keep
 * them apart.
 */
export function recordEncoder(options: EncodeOptions = {}): (found: FoundRecord) => EncodedRecord {
  const { timeZone = 'UTC' } = options
  checkTimeZone(timeZone)
  const seen = new Map<string, number>()
  return (found) => {
    const digest = createHash('sha256').update(found.record.text).digest('hex')
    const ordinal = seen.get(digest) ?? 0
    seen.set(digest, ordinal + 1)
    return encodeRecord(found, { timeZone, digest, ordinal }, options)
  }
}

function encodeRecord(
  found: FoundRecord,
  context: EncodeContext,
  { source: givenSource = '', redacted = false, times, maxSpans = Number.POSITIVE_INFINITY }: EncodeOptions,
): EncodedRecord {
  const { dialect } = found
  const { document, text, hasByteOrderMark } = found.record
  const { root } = document
  const { digest, timeZone } = context
  const record = readDocument(found, context, maxSpans)
  const source = toWellFormed(givenSource)
  const key = toWellFormed(record.key ?? digest)
  const planId = toWellFormed(record.planId ?? key)
  const identity = [dialect.name, source, key, digest, timeZone, redacted, SCHEMA_VERSION]
  const traceId = hashId(JSON.stringify(identity), 32)
  const plain = withSpanCount(
    assembleSpans(record.draft, {
      traceId,
      planId,
      rootPlanId: record.rootPlanId ?? planId,
      times,
      rootAttributes: {
        [ATTR.recordDialect]: dialect.name,
        [ATTR.recordEra]: record.era,
        [ATTR.recordSource]: source,
        [ATTR.recordKey]: key,
        [ATTR.recordDigest]: digest,
        [ATTR.timeZone]: timeZone,
      },
    }),
  )
  const style = detectStyle(document, hasByteOrderMark, dialect.style(record.era))
  const timed = withTimePaths(plain, () => {
    const [tree] = buildForest(foldSpans(plain.map(toStoredSpan)))
    return tree && dialect.decode(tree, record.era)
  })
  const spans = withResidual(timed, residualOf(dialect, record.era, plain, root, style))
  return { dialect: dialect.name, era: record.era, key, source, planId, traceId, digest, text, spans }
}

/**
 * Adds the number of spans to the root. If two generations of a record end at the same time, the larger is the later
 * one.
 */
const withSpanCount = (spans: readonly Span[]): Span[] =>
  spans.map((span, at) =>
    at === 0 ? { ...span, attributes: { ...span.attributes, [ATTR.recordSpanCount]: spans.length } } : span,
  )

/** Returns the residual of each span, by span id: what decoding the spans alone would not restore. */
function residualOf(
  dialect: Dialect,
  era: string,
  spans: readonly Span[],
  actual: JsonNode,
  style: JsonStyle,
): ReadonlyMap<string, Residual> {
  const [tree] = buildForest(foldSpans(spans.map(toStoredSpan)))
  if (!tree) return new Map()
  showStoppedActions(tree)
  const residuals = new Map<string, Residual>()
  const rootId = tree.span.spanId
  for (const [spanId, deviations] of diffFromCanonical(writeRecord(dialect, tree, era), actual, style, rootId)) {
    residuals.set(spanId, { deviations })
  }
  if (JSON.stringify(style) !== JSON.stringify(dialect.style(era))) {
    residuals.set(rootId, { style, ...residuals.get(rootId) })
  }
  return residuals
}

const withResidual = (spans: readonly Span[], residuals: ReadonlyMap<string, Residual>): Span[] =>
  spans.map((span) => {
    const residual = residuals.get(span.spanId)
    return residual ? { ...span, attributes: { ...span.attributes, [ATTR.residual]: JSON.stringify(residual) } } : span
  })

/** Parses the residual of a span. A damaged residual counts as empty. */
export function parseResidual(text: string | undefined): { style?: JsonStyle; deviations: readonly Deviation[] } {
  if (text === undefined) return { deviations: [] }
  try {
    const { style, deviations = [] } = JSON.parse(text) as Residual
    return { ...(style ? { style } : {}), deviations }
  } catch {
    return { deviations: [] }
  }
}
