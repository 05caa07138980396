import { PlanspanError } from '../../error.js'
import { jsonString, type JsonArray, type JsonMember, type JsonNode } from './node.js'
import { parseJsonDocument, ValueCount } from './parse.js'

/** Parses a document with one line of JSON per item. Each item's text includes the end of its line. */
export function parseLines(text: string, values?: ValueCount): JsonArray {
  const items: JsonNode[] = []
  const space: string[] = []
  let at = 0
  while (at < text.length) {
    const { root, head, end } = parseJsonDocument(text, at, 1, values)
    const next = endOfLine(text, end)
    items.push(root)
    space.push(head, text.slice(end, next))
    at = next
  }
  return { kind: 'array', items, space }
}

/** Returns the end of the line of a value that ends at `end`, or the end of the text if only white space follows. */
function endOfLine(text: string, end: number): number {
  const line = /[ \t\r]*\n?/y
  line.lastIndex = end
  line.exec(text)
  const rest = /\S/g
  rest.lastIndex = line.lastIndex
  return rest.test(text) ? line.lastIndex : text.length
}

/**
 * Parses a stream of server-sent events. Each event is an object of its fields in order, `data` as JSON, the others as
 * text. A comment is a field without a name.
 */
export function parseEventStream(text: string, values = new ValueCount()): JsonArray {
  const items: JsonNode[] = []
  const space: string[] = []
  let members: JsonMember[] = []
  let inner: string[] = []
  let before = ''
  let line = 0
  const close = (after: string): void => {
    items.push({ kind: 'object', members, space: inner })
    space.push(before, after)
    members = []
    inner = []
    before = ''
  }
  for (const [, content = '', end = ''] of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    line++
    if (content === '') {
      if (members.length > 0) close(end)
      else before += end
    } else {
      const field = /^([^:\s]*)(:)([ \t]*)(.*)$/s.exec(content)
      if (!field) throw new PlanspanError('invalid_record', `Not an event stream: line ${line} is not "field: value".`)
      const [, name = '', , gap = '', value = ''] = field
      values.add()
      members.push({ key: jsonString(name), value: name === 'data' ? dataOf(value, line, values) : jsonString(value) })
      inner.push('', '', gap, end)
    }
  }
  if (members.length > 0) close('')
  if (before !== '' && space.length > 0) space[space.length - 1] += before
  return { kind: 'array', items, space }
}

function dataOf(text: string, line: number, values: ValueCount): JsonNode {
  try {
    const { root, end } = parseJsonDocument(text, 0, 1, values)
    if (end === text.length) return root
  } catch (error) {
    if (error instanceof PlanspanError && error.code === 'record_too_large') throw error
    // Reported below, with the line in the stream.
  }
  throw new PlanspanError('invalid_record', `The data of the event on line ${line} is not one JSON value.`)
}
