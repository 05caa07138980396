import { PlanspanError } from '../../error.js'
import { framingOf, type DecodedRecord } from '../../mapping/index.js'
import type { Problem } from '../problem.js'

/** A line of `GET /api/export`: a record, or why it could not be written. */
export interface ExportLine {
  /** The `cursor` parameter of an export that goes on behind this record. */
  cursor: string
  planId: string
  traceId: string
  dialect?: string
  state?: string
  verdict?: string
  /** How much is missing; absent where nothing is. */
  missing?: number
  /** The record, of a dialect whose records are one JSON document. */
  record?: unknown
  /** The record's exact text, of other dialects, and where exact texts are asked for. */
  text?: string
  problem?: Pick<Problem, 'code' | 'detail'>
}

/** Whose line it is. */
export interface LineOf {
  readonly cursor: string
  readonly planId: string
  readonly traceId: string
  /** Whether the text is told as it is, whatever its dialect. */
  readonly exact: boolean
}

/** The line of a record, with its line break. Undefined is a record whose beginning is not stored yet. */
export function exportLine(
  made: DecodedRecord | PlanspanError | undefined,
  { cursor, planId, traceId, exact }: LineOf,
): string {
  const of = { cursor, planId, traceId }
  if (made === undefined || made instanceof PlanspanError) {
    const { code, message } = made ?? notYet
    return `${JSON.stringify({ ...of, problem: { code, detail: message } } satisfies ExportLine)}\n`
  }
  const { text, dialect, state, verdict, missing } = made
  const told: ExportLine = { ...of, dialect, state, verdict, ...(missing.length > 0 && { missing: missing.length }) }
  const document = exact || framingOf(dialect) !== undefined ? undefined : onOneLine(text)
  if (document === undefined) return `${JSON.stringify({ ...told, text } satisfies ExportLine)}\n`
  return `${JSON.stringify(told).slice(0, -1)},"record":${document}}\n`
}

const notYet = new PlanspanError('not_found', 'The span that the record begins with has not arrived.')

/** A JSON document without its line breaks, none of which is in a string; undefined for a text that is none. */
function onOneLine(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  return text.replaceAll(/[\r\n]\s*/g, '')
}
