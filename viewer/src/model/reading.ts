import type { SpanReading } from 'planspan/client'

/** What is asked of the spans of a role: an attribute, and what it stands for. */
export interface Asked {
  readonly role: string
  readonly attribute: string
  readonly what: string
}

/** What another instrumentation's telemetry leaves out of what was asked, and what was not understood, in words. */
export function leftOut(spans: readonly SpanReading[], asked: readonly Asked[]): string[] {
  const lines = asked.flatMap(({ role, attribute, what }) => {
    const those = spans.filter((span) => span.role === role)
    const silent = those.filter(({ taken }) => !(attribute in taken)).length
    return silent === 0 ? [] : [`${what} ${silent === those.length ? 'all' : `${silent} of`} ${those.length}`]
  })
  const unread = spans.filter(({ why }) => why.startsWith('not understood')).length
  return unread === 0 ? lines : [...lines, `${unread} ${unread === 1 ? 'span' : 'spans'} that no rule takes up`]
}
