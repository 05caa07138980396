import type { SpanReading } from 'planspan/client'

/** An expected attribute of a role's spans, and its description. */
export interface ExpectedAttribute {
  readonly role: string
  readonly attribute: string
  readonly what: string
}

/** Describes what an instrumentation's telemetry lacks, and the spans that were not understood. */
export function missingTelemetry(spans: readonly SpanReading[], expected: readonly ExpectedAttribute[]): string[] {
  const lines = expected.flatMap(({ role, attribute, what }) => {
    const ofRole = spans.filter((span) => span.role === role)
    const lacking = ofRole.filter(({ taken }) => !(attribute in taken)).length
    return lacking === 0 ? [] : [`${what} ${lacking === ofRole.length ? 'all' : `${lacking} of`} ${ofRole.length}`]
  })
  const unread = spans.filter(({ why }) => why.startsWith('not understood')).length
  return unread === 0 ? lines : [...lines, `${unread} ${unread === 1 ? 'span' : 'spans'} that no rule matches`]
}
