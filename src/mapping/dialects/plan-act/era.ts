import type { Era } from '../dialect.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonStyle } from '../../json/index.js'
import { type Home, type Properties, recordObject, type RecordObject, type Writing } from '../../record-object/index.js'
import { DOMAIN, ENVELOPES, INTERFACE, SESSION } from './properties.js'

/** How a serialization writes its events: an object for each type, and one for the steps of a plan. */
export type Vocabulary = Readonly<Record<keyof typeof DOMAIN, RecordObject>>

/** The object around an event's data in a file. */
export type Envelope = keyof typeof ENVELOPES | 'none'

/** One of the formats in which ManusX or ai-manus writes a session's events. */
export interface PlanActEra extends Era {
  readonly vocabulary: Vocabulary
  readonly envelope: Envelope
}

const NULLS: Writing = { nulls: 'written' }

const SPANS: Readonly<Record<string, Home>> = { plan: 'planning', planStep: 'planning', step: 'agent', tool: 'tool' }

const vocabulary = (types: Readonly<Record<keyof Vocabulary, Properties>>, writing: Writing): Vocabulary => {
  const objectOf = (type: keyof Vocabulary) => recordObject(SPANS[type] ?? 'event', types[type], writing)
  return {
    title: objectOf('title'),
    message: objectOf('message'),
    plan: objectOf('plan'),
    planStep: objectOf('planStep'),
    step: objectOf('step'),
    tool: objectOf('tool'),
    error: objectOf('error'),
    done: objectOf('done'),
    wait: objectOf('wait'),
    other: objectOf('other'),
  }
}

export const DOMAIN_VOCABULARY = vocabulary(DOMAIN, NULLS)
const AI_MANUS = vocabulary(INTERFACE, NULLS)
/** ai-manus, which ManusX derives from, has since added two keys. */
const MANUS_X = vocabulary(INTERFACE, { ...NULLS, lacks: ['result', 'brief'] })

export const REDIS_ENTRY = recordObject('event', ENVELOPES.redis, NULLS)
export const NAMED_EVENT = recordObject('event', ENVELOPES.named, NULLS)
export const WEBSOCKET_FRAME = recordObject('event', ENVELOPES.websocket, NULLS)
export const SESSION_ANSWER = recordObject('plan', SESSION, NULLS)

const LINES: JsonStyle = { framing: 'lines' }
const SSE: JsonStyle = { framing: 'sse', newline: '\r\n' }

const era = (vocabulary: Vocabulary, envelope: Envelope, style: JsonStyle, around: Era['objects']): PlanActEra => ({
  vocabulary,
  envelope,
  style,
  objects: { ...around, ...vocabulary },
})

const NAMED = { entry: NAMED_EVENT }
const ANSWER = { session: SESSION_ANSWER, ...NAMED }

/** Records of other systems are written in the first era of a dialect. */
export const ERAS = {
  events: {
    redis: era(DOMAIN_VOCABULARY, 'redis', { ...LINES, colon: ' ', comma: ' ' }, { entry: REDIS_ENTRY }),
    domain: era(DOMAIN_VOCABULARY, 'none', LINES, {}),
    websocket: era(AI_MANUS, 'websocket', LINES, { entry: WEBSOCKET_FRAME }),
  },
  sse: { 'manus-x': era(MANUS_X, 'named', SSE, NAMED), 'ai-manus': era(AI_MANUS, 'named', SSE, NAMED) },
  session: { 'manus-x': era(MANUS_X, 'named', {}, ANSWER), 'ai-manus': era(AI_MANUS, 'named', {}, ANSWER) },
} as const satisfies Record<string, Readonly<Record<string, PlanActEra>>>

export type Serialisation = keyof typeof ERAS

export function eraNamed(serialisation: Serialisation, name: string): PlanActEra {
  const eras: Readonly<Record<string, PlanActEra>> = ERAS[serialisation]
  const [first] = Object.values(ERAS[serialisation])
  return (Object.hasOwn(eras, name) ? eras[name] : undefined) ?? first ?? ERAS.events.redis
}

/** Detects the era of a file by keys or forms that no other era has. */
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
