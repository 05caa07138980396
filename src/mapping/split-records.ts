import { PlanspanError } from '../error.js'
import type { JsonDocument } from './json/node.js'
import { parseJsonDocument } from './json/parse.js'

/** One record's document and its exact text in the file. */
export interface RecordText {
  readonly document: JsonDocument
  readonly text: string
  readonly hasByteOrderMark: boolean
}

const BYTE_ORDER_MARK = '\uFEFF'

/**
 * The records of a file, one JSON document each. A record's text runs from the end of the one before it to the end of its
 * own line, terminator included; what follows the last one belongs to it.
 */
export function* splitRecords(bytes: Uint8Array): Generator<RecordText> {
  const text = decodeUtf8(bytes)
  const hasByteOrderMark = text.startsWith(BYTE_ORDER_MARK)
  let at = 0
  while (at < text.length) {
    const from = at === 0 && hasByteOrderMark ? 1 : at
    const { root, head, end } = parseJsonDocument(text, from)
    const line = /[ \t\r]*\n?/y
    line.lastIndex = end
    line.exec(text)
    const rest = text.slice(line.lastIndex)
    const next = /\S/.test(rest) ? line.lastIndex : text.length
    const document = { root, head, tail: text.slice(end, next) }
    yield { document, text: text.slice(at, next), hasByteOrderMark: from !== at }
    at = next
  }
  if (at === 0) throw new PlanspanError('invalid_record', 'The file is empty: expected a JSON record.')
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new PlanspanError('invalid_record', 'Not UTF-8: convert the file to UTF-8 and import it again.', { cause })
  }
}
