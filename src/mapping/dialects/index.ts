import { PlanspanError } from '../../error.js'
import { DIALECT_NAMES, type Dialect, type DialectName } from './dialect.js'
import type { JsonNode, Framing } from '../json/index.js'
import { atif } from './atif/index.js'
import { planActEvents, planActSession, planActSse } from './plan-act/index.js'
import { planExecution } from './plan-execution/index.js'
import { reviewLog } from './review-log/index.js'
import { traj, trajectory } from './trajectory/index.js'

export { type Dialect, DIALECT_NAMES, type DialectName, type DialectRecord, type EncodeContext } from './dialect.js'
export { readRecord, writeOwnRecord, writeRecord } from './own-record.js'
export { draft, type EventDraft, type LinkDraft, type SpanDraft } from './span-draft.js'

/** All dialects, in the order in which they are tried. */
export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  'plan-execution': planExecution,
  trajectory,
  'trajectory:traj': traj,
  'review-log': reviewLog,
  'plan-act:events': planActEvents,
  'plan-act:sse': planActSse,
  'plan-act:session': planActSession,
  atif,
}

/** Whether a text is the name of a dialect. */
export const isDialectName = (text: string | undefined): text is DialectName =>
  DIALECT_NAMES.some((name) => name === text)

/** The formats that records are written in: the dialects, and chat messages for training, which are not read. */
export const WRITTEN_FORMATS = [...DIALECT_NAMES, 'chat'] as const
export type WrittenFormat = (typeof WRITTEN_FORMATS)[number]

/** Returns the framing of a format. Undefined if its files are one JSON document. */
export const framingOf = (name: WrittenFormat): Framing | undefined =>
  name === 'chat' ? 'lines' : DIALECTS[name].style('').framing

/** Detects the dialect of a document. Throws `unknown_dialect` for other documents. */
export function detectDialect(document: JsonNode | undefined, { isEventStream = false } = {}): Dialect {
  const candidates = Object.values(DIALECTS).filter(({ style }) => (style('').framing === 'sse') === isEventStream)
  const found = document && candidates.find((dialect) => dialect.detect(document))
  if (found) return found
  const message = `No known record format: ${inWords(document)}. Known: ${DIALECT_NAMES.join(', ')}; choose one with --format.`
  throw new PlanspanError('unknown_dialect', message)
}

function inWords(document: JsonNode | undefined): string {
  if (!document) return 'an event stream without events'
  if (document.kind !== 'object')
    return `a JSON ${document.kind === 'literal' ? String(document.value) : document.kind}`
  const keys = document.members.map(({ key }) => JSON.stringify(key.value.slice(0, 40)))
  if (keys.length === 0) return 'an object with no keys'
  return `an object with the keys ${keys.slice(0, 8).join(', ')}${keys.length > 8 ? ' and more' : ''}`
}
