import { parseEventStream } from '../../json/framing.js'
import { jsonString, member, stringOf, type JsonNode, type JsonObject } from '../../json/node.js'
import { writeJsonDocument } from '../../json/write.js'

/** An event stream, and how many events it holds; comments are none. */
export interface EventStream {
  readonly text: string
  readonly eventCount: number
}

/**
 * A stream of ManusX's events with the `id` line that lets a client resume it, all else left as it is: the events after
 * the one of that id, or all when no event has it.
 */
export function withEventIds(stream: string, after?: string): EventStream {
  const { items, space = [] } = parseEventStream(stream)
  const last = after === undefined ? -1 : items.findLastIndex((item) => eventIdOf(item) === after)
  const rest = items.slice(last + 1)
  const document: JsonNode = { kind: 'array', items: rest.map(withId), space: space.slice((last + 1) * 2) }
  return {
    text: writeJsonDocument(document, { framing: 'sse', newline: '\r\n' }),
    eventCount: rest.filter((item) => member(item, 'data') !== undefined).length,
  }
}

const eventIdOf = (item: JsonNode): string | undefined => stringOf(member(member(item, 'data'), 'event_id'))

/** Ids with line breaks would break the stream; NUL makes a client ignore them. */
const SAFE_ID = /^[^\r\n\0]+$/

function withId(item: JsonNode): JsonNode {
  const id = eventIdOf(item)
  if (item.kind !== 'object' || id === undefined || !SAFE_ID.test(id) || member(item, 'id')) return item
  const idLine: JsonObject['members'][number] = { key: jsonString('id'), value: jsonString(id) }
  return { ...item, members: [idLine, ...item.members], space: ['', '', ' ', item.space?.[3], ...(item.space ?? [])] }
}
