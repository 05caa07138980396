import { PlanspanError } from '../../error.js'
import {
  parseEventStream,
  parseLines,
  member,
  type JsonDocument,
  type JsonNode,
  parseJsonDocument,
  type Framing,
  type ValueCount,
} from '../json/index.js'
import type { RecordBytes } from './record-splitter.js'

/** The document of one record, and its exact text in the file. */
export interface RecordText {
  readonly document: JsonDocument
  readonly text: string
  readonly hasByteOrderMark: boolean
}

const BYTE_ORDER_MARK = '\uFEFF'

/** Parses a record. Throws `invalid_record` if it is not one JSON document in UTF-8. */
export function parseRecord({ bytes, line, isBroken }: RecordBytes, values?: ValueCount): RecordText {
  const text = decodeUtf8(bytes, { isCut: isBroken })
  const { start, hasByteOrderMark } = startOf(text)
  const linesBefore = (/^[ \t\r\n]*/.exec(text.slice(start))?.[0].match(/\n/g) ?? []).length
  const { root, head, end } = parseJsonDocument(text, start, line - linesBefore, values)
  const tail = text.slice(end)
  if (isBroken || /[^ \t\r\n]/.test(tail)) {
    throw new PlanspanError('invalid_record', `Not JSON: more follows the value that starts on line ${line}.`)
  }
  return { document: { root, head, tail }, text, hasByteOrderMark }
}

/** Parses a framed file as one record: an array of its items. */
export function framedRecord(text: string, framing: Framing, values?: ValueCount): RecordText {
  const { start, hasByteOrderMark } = startOf(text)
  const root = (framing === 'sse' ? parseEventStream : parseLines)(text.slice(start), values)
  return { document: { root, head: '', tail: '' }, text, hasByteOrderMark }
}

function startOf(text: string): { readonly start: number; readonly hasByteOrderMark: boolean } {
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK)
  return { start: hasByteOrderMark ? BYTE_ORDER_MARK.length : 0, hasByteOrderMark }
}

/** Whether a file with this start is a stream of server-sent events. */
export const isEventStream = (start: Uint8Array): boolean =>
  /^\uFEFF?\s*(?:event|data|id|retry)?:/.test(new TextDecoder().decode(start))

/** Returns the first event of a stream, which identifies its dialect. */
export function eventStreamItem(text: string): JsonNode | undefined {
  const { items } = parseEventStream(text.slice(startOf(text).start))
  return items.find((frame) => member(frame, 'data') !== undefined)
}

/** Decodes UTF-8, including a byte order mark. Throws `invalid_record` for malformed UTF-8. */
export function decodeUtf8(bytes: Uint8Array, { isCut = false } = {}): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isCut })
  } catch (cause) {
    throw new PlanspanError('invalid_record', 'Not UTF-8: convert the file to UTF-8 and import it again.', { cause })
  }
}
