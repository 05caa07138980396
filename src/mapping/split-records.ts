import { PlanspanError } from '../error.js'
import { endOfLine, parseEventStream, parseLines } from './json/framing.js'
import type { JsonDocument, JsonNode } from './json/node.js'
import { parseJsonDocument } from './json/parse.js'
import type { Framing } from './json/style.js'

/** One record's document and its exact text in the file. */
export interface RecordText {
  readonly document: JsonDocument
  readonly text: string
  readonly hasByteOrderMark: boolean
}

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * The records of a file. Without framing each JSON document is one, and its text runs from the end of the one before it
 * to the end of its own line, terminator included; what follows the last one belongs to it. A framed file is one record.
 */
export function* splitRecords(text: string, framing: Framing | undefined): Generator<RecordText> {
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK)
  const start = hasByteOrderMark ? BYTE_ORDER_MARK.length : 0
  if (framing) {
    const root = (framing === 'sse' ? parseEventStream : parseLines)(text.slice(start))
    yield { document: { root, head: '', tail: '' }, text, hasByteOrderMark }
    return
  }
  let at = 0
  while (at < text.length) {
    const { root, head, end } = parseJsonDocument(text, Math.max(at, start))
    const next = endOfLine(text, end)
    const document = { root, head, tail: text.slice(end, next) }
    yield { document, text: text.slice(at, next), hasByteOrderMark: hasByteOrderMark && at === 0 }
    at = next
  }
}

/** The first item of a file, by which its dialect is told: a JSON value, or a server-sent event. */
export function firstItem(text: string): { readonly item: JsonNode | undefined; readonly isEventStream: boolean } {
  const body = text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text
  if (body.trim() === '') throw new PlanspanError('invalid_record', 'The file is empty: expected a record.')
  if (/^\s*(?:event|data|id|retry)?:/.test(body)) {
    const stream = parseEventStream(body)
    const event = stream.items.find((frame) => frame.kind === 'object' && frame.members[0]?.key.value !== '')
    return { item: event, isEventStream: true }
  }
  return { item: parseJsonDocument(body).root, isEventStream: false }
}

/** The text of a file; `invalid_record` where it is not UTF-8. A byte order mark stays in it. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new PlanspanError('invalid_record', 'Not UTF-8: convert the file to UTF-8 and import it again.', { cause })
  }
}
