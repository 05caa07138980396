import { PlanspanError } from '../../error.js'
import { framingOf, type DecodedRecord } from '../../mapping/index.js'
import type { ExportLine } from '../../wire/index.js'

/** The record of a line. */
interface LineOf {
  readonly cursor: string
  readonly planId: string
  readonly traceId: string
  /** Whether to write the exact text in all dialects. */
  readonly exact: boolean
}

/** Returns the line of a record, with its line break. The record is undefined while its first span is not stored. */
export function exportLine(
  made: DecodedRecord | PlanspanError | undefined,
  { cursor, planId, traceId, exact }: LineOf,
): string {
  const of = { cursor, planId, traceId }
  if (made === undefined || made instanceof PlanspanError) {
    const { code, message } = made ?? notYet
    return `${JSON.stringify({ ...of, problem: { code, detail: message } } satisfies ExportLine)}\n`
  }
  const { text, dialect } = made
  const head = exportHead(made, of)
  const document = exact || framingOf(dialect) !== undefined ? undefined : onOneLine(text)
  return document === undefined ? `${head},"text":${JSON.stringify(text)}}\n` : `${head},"record":${document}}\n`
}

/** Returns the beginning of a record's line, up to the record. */
function exportHead(
  { dialect, state, verdict, missing, leftOut }: DecodedRecord,
  { cursor, planId, traceId }: Omit<LineOf, 'exact'>,
): string {
  const head: ExportLine = {
    cursor,
    planId,
    traceId,
    dialect,
    state,
    verdict,
    ...(missing.length > 0 && { missing: missing.length }),
    ...(leftOut.length > 0 && { leftOut: [...leftOut] }),
  }
  return JSON.stringify(head).slice(0, -1)
}

const notYet = new PlanspanError('not_found', 'The span that the record begins with has not arrived.')

/** Removes the line breaks of a JSON document, which are never in strings; undefined for malformed JSON. */
function onOneLine(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  return text.replaceAll(/[\r\n]\s*/g, '')
}

/** Whether a record was converted to training messages. */
export const isChat = (made: DecodedRecord | Error | undefined): made is DecodedRecord =>
  made !== undefined && !(made instanceof Error) && made.dialect === 'chat'

/** Returns a line for each line of a record's messages. Skips records unfit for training unless requested. */
export function chatLines(record: DecodedRecord, of: LineOf & { readonly incomplete: boolean }): string {
  if (!of.incomplete && record.verdict !== 'complete') return ''
  const head = exportHead(record, of)
  return record.text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${head},"record":${line}}\n`)
    .join('')
}
