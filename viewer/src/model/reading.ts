import type { SpanReading } from 'planspan/client'

/** An expected attribute of a role's spans, and its description. */
export interface Asked {
  readonly role: string
  readonly attribute: string
  readonly what: string
}

/** Describes what an instrumentation's telemetry lacks, and the spans that were not understood. */
export function leftOut(spans: readonly SpanReading[], asked: readonly Asked[]): string[] {
  const lines = asked.flatMap(({ role, attribute, what }) => {
    const those = spans.filter((span) => span.role === role)
    const silent = those.filter(({ taken }) => !(attribute in taken)).length
    return silent === 0 ? [] : [`${what} ${silent === those.length ? 'all' : `${silent} of`} ${those.length}`]
  })
  const unread = spans.filter(({ why }) => why.startsWith('not understood')).length
  return unread === 0 ? lines : [...lines, `${unread} ${unread === 1 ? 'span' : 'spans'} that no rule takes up`]
}
