import { itemsOf, member, stringOf, type JsonNode } from '../../json/node.js'
import type { JsonStyle } from '../../json/style.js'
import { AI_MANUS, DOMAIN, MANUS_X, type Vocabulary } from './vocabulary.js'

/** What stands around an event's data in a file. */
export type Envelope = 'redis' | 'none' | 'websocket' | 'named'

/** One way in which ManusX or ai-manus writes a session's events. */
export interface Era {
  readonly vocabulary: Vocabulary
  readonly envelope: Envelope
  readonly style: JsonStyle
}

const SSE: JsonStyle = { framing: 'sse', newline: '\r\n' }

/** The first era of a dialect is the one that other systems' records are written in. */
export const ERAS = {
  events: {
    redis: { vocabulary: DOMAIN, envelope: 'redis', style: { framing: 'lines', colon: ' ', comma: ' ' } },
    domain: { vocabulary: DOMAIN, envelope: 'none', style: { framing: 'lines' } },
    websocket: { vocabulary: AI_MANUS, envelope: 'websocket', style: { framing: 'lines' } },
  },
  sse: {
    'manus-x': { vocabulary: MANUS_X, envelope: 'named', style: SSE },
    'ai-manus': { vocabulary: AI_MANUS, envelope: 'named', style: SSE },
  },
  session: {
    'manus-x': { vocabulary: MANUS_X, envelope: 'named', style: {} },
    'ai-manus': { vocabulary: AI_MANUS, envelope: 'named', style: {} },
  },
} as const satisfies Record<string, Readonly<Record<string, Era>>>

export type Serialisation = keyof typeof ERAS

export function eraNamed(serialisation: Serialisation, name: string): Era {
  const eras: Readonly<Record<string, Era>> = ERAS[serialisation]
  const [first] = Object.values(ERAS[serialisation])
  return (Object.hasOwn(eras, name) ? eras[name] : undefined) ?? first ?? ERAS.events.redis
}

/** The era of a file, told by what only one era writes. */
export function eraOf(serialisation: Serialisation, items: readonly JsonNode[]): string {
  if (serialisation !== 'events') return items.some(isNewer) ? 'ai-manus' : 'manus-x'
  if (items.some((item) => stringOf(member(member(item, 'data'), 'type')) !== undefined)) return 'redis'
  return items.some((item) => stringOf(member(item, 'type')) === 'event' && member(item, 'data'))
    ? 'websocket'
    : 'domain'
}

function isNewer(item: JsonNode): boolean {
  const data = member(item, 'data')
  const type = stringOf(member(item, 'event'))
  if (type === 'tool') return member(data, 'brief') !== undefined
  if (type === 'step') return member(data, 'result') !== undefined
  return type === 'plan' && itemsOf(member(data, 'steps')).some((step) => member(step, 'result') !== undefined)
}
