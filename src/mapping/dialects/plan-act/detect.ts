import { hasMember, itemsOf, member, stringOf, type JsonNode } from '../../json/index.js'

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

const hasType = (node: JsonNode | undefined, key: string): boolean => TYPES.has(stringOf(member(node, key)) ?? '')

const isDomainEvent = (node: JsonNode | undefined): boolean =>
  hasType(node, 'type') && hasMember(node, 'id') && hasMember(node, 'timestamp')
const isNamedEvent = (node: JsonNode | undefined): boolean =>
  hasType(node, 'event') && hasMember(member(node, 'data'), 'event_id')

/** Whether a node is the first line of a Redis stream, of bare domain events or of WebSocket frames. */
export const isEventLine = (node: JsonNode): boolean =>
  isDomainEvent(node) ||
  (hasMember(node, 'id') && isDomainEvent(member(node, 'data'))) ||
  (hasMember(node, 'session_id') && (isNamedEvent(node) || stringOf(member(node, 'type')) === 'joined'))

/** Whether a node is the first event of a stream of server-sent events. */
export const isSseEvent = isNamedEvent

/** Whether a document is the response of `GET /sessions/{id}`. */
export const isSession = (node: JsonNode): boolean => {
  const data = member(node, 'data')
  const events = member(data, 'events')
  return (
    hasMember(data, 'session_id') &&
    events?.kind === 'array' &&
    itemsOf(events).every((item) => hasMember(item, 'event'))
  )
}
