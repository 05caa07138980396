import { diag } from '@opentelemetry/api'

const ADVICE = {
  value: 'an attribute cannot hold a value; pass text, finite whole numbers or plain JSON data',
  ended: 'a span was written to after its end; call end() last',
  tracer: 'the tracer, span or context manager threw; look at the OpenTelemetry SDK in use',
  limit: 'the SDK’s span limits cut attributes, events or links; raise spanLimits (register() sets none)',
  queue: 'spans ended faster than they could be exported; raise maxQueueSize or look at the receiver',
  event:
    'a recorder received an event that it cannot read, or that belongs to no known plan, step or call; ' +
    'report events in the order in which they happen',
  token:
    'a token could not be read, so its plan continues as a new one; store tokens unchanged, as p.token and suspend() return them',
  snapshot: 'too many spans are open at once to show all of them before they end; raise maxOpenSpans',
  export: 'the exporter could not deliver spans; look at the receiver and the endpoint',
} as const

/**
 * The reasons for a drop: a single value (`value`, `ended`, `tracer`, `limit`), a value with an unknown name
 * (`option`), a recorder's input (`event`), the link to a plan's earlier segments (`token`), whole spans (`queue`,
 * `export`), or a span's snapshots, so that the span appears only after its end (`snapshot`).
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
  warnOnce(kind, () => `planspan: dropped ${what}: ${ADVICE[kind]}. ${LOGGED_ONCE}`)
}

/** Counts a value with an unknown name, and logs a warning once per name. Never throws. */
export function countUnknownName(name: string, advice: () => string): void {
  counts.option++
  warnOnce(`option ${name}`, () => `planspan: dropped ${name}: ${advice()}. ${LOGGED_ONCE}`)
}

const LOGGED_ONCE = 'Logged once; dropCounts() returns the totals.'
const warned = new Set<string>()
const MAX_WARNINGS = 1_000

/** Logs a warning, once for each subject. Never throws. */
export function warnOnce(subject: string, message: () => string): void {
  if (warned.has(subject) || warned.size >= MAX_WARNINGS) return
  warned.add(subject)
  try {
    diag.warn(message())
  } catch {
    // The user's logger must not break the agent.
  }
}

/** The number of things that planspan has dropped in this process so far, by kind. */
export const dropCounts = (): Readonly<Record<DropKind, number>> => ({ ...counts })
