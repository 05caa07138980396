import { createHash } from 'node:crypto'

/** The spans that a client has, each with a checksum of its JSON. */
export type KnownSpans = ReadonlyMap<string, string>

/** The spans of a plan that a client does not have yet. */
export interface SpanChanges {
  /** All spans, as the client has them afterwards. */
  readonly known: KnownSpans
  /** The spans that are new or have changed, as server-sent events, in order of their start. */
  readonly frames: readonly string[]
  /** The checksum of all spans. A client that sends it is up to date. */
  readonly checksum: string
}

const sumOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/**
 * Compares the spans of a plan with the spans that a client has. A span that disappears, as inferred ones may, is not a
 * change.
 */
export function spanChanges(spans: Iterable<readonly [spanId: string, value: unknown]>, had: KnownSpans): SpanChanges {
  const known = new Map<string, string>()
  const frames: string[] = []
  for (const [spanId, value] of spans) {
    const json = JSON.stringify(value)
    const sum = sumOf(json)
    known.set(spanId, sum)
    if (had.get(spanId) !== sum) frames.push(`event: span\r\ndata: ${json}\r\n\r\n`)
  }
  return { known, frames, checksum: sumOf([...known].join()) }
}
