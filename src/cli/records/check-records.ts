import { z, type ZodType } from 'zod'

import type { BadRecord, DialectName, FoundRecord } from '../../mapping/index.js'
import { toValue } from '../../mapping/json/index.js'
import {
  atifTrajectorySchema,
  agentExecutionRecordSchema,
  executionTrajectorySchema,
  planActEventSchema,
  planActSessionSchema,
  planActShownEventSchema,
  planActStreamEntrySchema,
  planExecutionRecordSchema,
  planRunRecordSchema,
  trajFileSchema,
} from '../../records/index.js'
import { rejectionOf, toPydanticValue } from './pydantic-json.js'
import { findRecords } from './read-records.js'

/** Entries of the Redis stream, bare events, or the events that clients receive over a WebSocket. */
const eventLinesSchema = z.array(z.union([planActStreamEntrySchema, planActEventSchema, planActShownEventSchema]))

/** The events of a stream, and the comments between them. */
const eventStreamSchema = z.array(z.union([planActShownEventSchema, z.strictObject({ '': z.string() })]))

/** The schema of each dialect's records. It is stricter than the detection of the dialect. */
const SCHEMAS: Readonly<Record<DialectName, (document: unknown) => ZodType>> = {
  'plan-execution': (document) => (isAgent(document) ? agentExecutionRecordSchema : planExecutionRecordSchema),
  'review-log': () => planRunRecordSchema,
  trajectory: () => executionTrajectorySchema,
  'trajectory:traj': () => trajFileSchema,
  'plan-act:events': () => eventLinesSchema,
  'plan-act:sse': () => eventStreamSchema,
  'plan-act:session': () => planActSessionSchema,
  atif: () => atifTrajectorySchema,
}

const isAgent = (document: unknown): boolean =>
  typeof document === 'object' && document !== null && 'stepId' in document && 'thinkActSteps' in document

/** The dialects that their systems read with pydantic. */
const OF_PYDANTIC: ReadonlySet<DialectName> = new Set(['review-log', 'plan-act:events', 'plan-act:session', 'atif'])

const MAX_ISSUES = 3

/** An invalid record, with the line where it begins, from 1. */
export interface InvalidRecord {
  readonly line: number
  readonly error: string
}

/**
 * Reads a file in chunks and checks its records, one per line if the file is in lines. Yields records and errors. The
 * systems that read with pydantic read one document per line, so several on a line are one invalid record.
 */
export async function* checkRecords(
  chunks: AsyncIterable<Uint8Array>,
  format: 'auto' | DialectName,
): AsyncGenerator<FoundRecord | InvalidRecord> {
  let held: FoundRecord | InvalidRecord | undefined
  for await (const found of findRecords(chunks, format, { byLine: true })) {
    const checked = checkedRecord(found)
    if (held && isOfPydantic(held) && held.line === checked.line) {
      held = { line: held.line, error: 'Invalid JSON: more follows the document on its line' }
      continue
    }
    if (held) yield held
    held = checked
  }
  if (held) yield held
}

function checkedRecord(found: FoundRecord | BadRecord): FoundRecord | InvalidRecord {
  if ('error' in found) return { line: found.line, error: found.error.message }
  const error = recordError(found)
  return error === undefined ? found : { line: found.line, error }
}

const isOfPydantic = (record: FoundRecord | InvalidRecord): boolean =>
  'error' in record || OF_PYDANTIC.has(record.dialect.name)

/** Returns the validation errors of a record as text; undefined for a valid record. */
function recordError(found: FoundRecord): string | undefined {
  const { dialect, record } = found
  const isPydantic = OF_PYDANTIC.has(dialect.name)
  const rejection = isPydantic ? rejectionOf(found) : undefined
  if (rejection !== undefined) return rejection
  const document = (isPydantic ? toPydanticValue : toValue)(record.document.root)
  const result = SCHEMAS[dialect.name](document).safeParse(document)
  if (result.success) return undefined
  const { issues } = result.error
  const shown = issues.slice(0, MAX_ISSUES).map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
  const more = issues.length - shown.length
  return `${shown.join('; ')}${more > 0 ? `; and ${String(more)} more` : ''}`
}
