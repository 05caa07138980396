import { PlanspanError } from '../../error.js'
import { type DialectRecord, type EncodeContext, readRecord, type SpanDraft } from '../dialects/index.js'
import type { FoundRecord } from './record-stream.js'

/** The maximum length of an id. Every span of a plan carries its ids, and every lookup accepts ids of this length. */
const MAX_ID_LENGTH = 65_536

/** The ids that records and agents are looked up by. */
const IDS = ['planId', 'rootPlanId', 'parentPlanId', 'stepId'] as const

/**
 * Reads a record with its dialect. Throws `invalid_record`, also for an id that is too long to be looked up, and
 * `record_too_large` for more than `maxSpans` spans.
 */
export function readDocument(
  { dialect, record }: FoundRecord,
  context: EncodeContext,
  maxSpans = Number.POSITIVE_INFINITY,
): DialectRecord {
  const read = readRecord(dialect, record.document.root, context)
  if (countDrafts(read.draft, maxSpans) > maxSpans) throw tooManySpans(maxSpans)
  for (const [name, id] of [
    ...Object.entries({ key: read.key, rootPlanId: read.rootPlanId }),
    ...idsBelow(read.draft),
  ]) {
    if (typeof id === 'string' && id.length > MAX_ID_LENGTH) throw tooLong(name, id)
  }
  return read
}

/** Counts a draft and those below it, up to `most` + 1. */
function countDrafts(draft: SpanDraft, most: number): number {
  let count = 0
  const pending = [draft]
  for (let next = pending.pop(); next && count <= most; next = pending.pop()) {
    count++
    for (const child of next.children) pending.push(child)
  }
  return count
}

const tooManySpans = (most: number): PlanspanError =>
  new PlanspanError(
    'record_too_large',
    `The record makes more than ${most} spans. Import it with \`planspan import\`, which has no such limit.`,
  )

function* idsBelow({ values, children }: SpanDraft): Generator<[name: string, id: unknown]> {
  for (const name of IDS) yield [name, values[name]]
  for (const child of children) yield* idsBelow(child)
}

const tooLong = (name: string, id: string): PlanspanError =>
  new PlanspanError(
    'invalid_record',
    `The ${name} ${JSON.stringify(`${id.slice(0, 20)}…`)} has ${id.length} characters; at most ${MAX_ID_LENGTH} are allowed. ` +
      'Shorten it.',
  )
