import { diag } from '@opentelemetry/api'

const ADVICE = {
  value: 'a value could not be carried by an attribute; give text, finite whole numbers or plain JSON data',
  ended: 'a span was written to after its end; call end() last',
  tracer: 'the tracer, span or context manager threw; look at the OpenTelemetry SDK in use',
  limit: 'the SDK’s span limits cut attributes, events or links; raise spanLimits (register() sets none)',
  queue: 'spans ended faster than they could be exported; raise maxQueueSize or look at the receiver',
  event:
    'a recorder was told of something that belongs to no plan, step or call that it knows, or that it can’t read; ' +
    'tell it in the order in which it happens',
  token:
    'a token could not be read, and its plan goes on as a new one; keep tokens whole, as p.token and suspend() gave them',
  snapshot: 'more spans are open at once than are shown before they end; raise maxOpenSpans',
  export: 'the exporter could not deliver spans; look at the receiver and the endpoint',
} as const

/**
 * The reasons why something was dropped: single values (`value`, `ended`, `tracer`, `limit`), values under names
 * that are not known (`option`), a recorder's input (`event`), the connection to a plan's earlier segments (`token`),
 * whole spans (`queue`, `export`), or the snapshots of a span, which is then seen only after its end (`snapshot`).
 */
export type DropKind = keyof typeof ADVICE | 'option'

const counts: Record<DropKind, number> = {
  value: 0,
  option: 0,
  ended: 0,
  tracer: 0,
  limit: 0,
  queue: 0,
  event: 0,
  snapshot: 0,
  token: 0,
  export: 0,
}

/** Counts something that planspan had to drop, and logs a warning once per kind. Never throws. */
export function countDrop(kind: keyof typeof ADVICE, what: string, count = 1): void {
  counts[kind] += count
  sayOnce(kind, () => `planspan: dropped ${what}: ${ADVICE[kind]}. ${SAID_ONCE}`)
}

/** Counts a value that was given under a name that is not known, and logs a warning once per name. Never throws. */
export function countUnknownName(name: string, advice: () => string): void {
  counts.option++
  sayOnce(`option ${name}`, () => `planspan: dropped ${name}: ${advice()}. ${SAID_ONCE}`)
}

const SAID_ONCE = 'Said once; dropCounts() has the numbers.'
const said = new Set<string>()
const MAX_SAID = 1_000

/** Logs a warning, once for each subject. Never throws. */
export function sayOnce(subject: string, message: () => string): void {
  if (said.has(subject) || said.size >= MAX_SAID) return
  said.add(subject)
  try {
    diag.warn(message())
  } catch {
    // The user's logger must not break the agent.
  }
}

/** The number of things that planspan has dropped in this process so far, by kind. */
export const dropCounts = (): Readonly<Record<DropKind, number>> => ({ ...counts })
