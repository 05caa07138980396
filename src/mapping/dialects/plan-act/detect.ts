import { itemsOf, member, stringOf, type JsonNode } from '../../json/node.js'

const TYPES = new Set([
  'title',
  'message',
  'plan',
  'step',
  'tool',
  'error',
  'done',
  'wait',
  'skill',
  'status_update',
  'terminal_update',
  'file_update',
])

const has = (node: JsonNode | undefined, key: string): boolean => member(node, key) !== undefined
const hasType = (node: JsonNode | undefined, key: string): boolean => TYPES.has(stringOf(member(node, key)) ?? '')

const isDomainEvent = (node: JsonNode | undefined): boolean =>
  hasType(node, 'type') && has(node, 'id') && has(node, 'timestamp')
const isNamedEvent = (node: JsonNode | undefined): boolean =>
  hasType(node, 'event') && has(member(node, 'data'), 'event_id')

/** The first line of a Redis stream, of bare domain events or of WebSocket frames. */
export const isEventLine = (node: JsonNode): boolean =>
  isDomainEvent(node) ||
  (has(node, 'id') && isDomainEvent(member(node, 'data'))) ||
  (has(node, 'session_id') && (isNamedEvent(node) || stringOf(member(node, 'type')) === 'joined'))

/** The first event of a stream of server-sent ones. */
export const isSseEvent = isNamedEvent

/** The answer of `GET /sessions/{id}`. */
export const isSession = (node: JsonNode): boolean => {
  const data = member(node, 'data')
  const events = member(data, 'events')
  return has(data, 'session_id') && events?.kind === 'array' && itemsOf(events).every((item) => has(item, 'event'))
}
