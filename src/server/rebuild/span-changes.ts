import { createHash } from 'node:crypto'

/** The spans that a client has, each with a checksum of its JSON. */
export type KnownSpans = ReadonlyMap<string, string>

/** What a client of a plan's spans does not have yet. */
export interface SpanChanges {
  /** All spans there are, as the client then has them. */
  readonly known: KnownSpans
  /** The spans that are new or have changed, as server-sent events, in order of their start. */
  readonly frames: readonly string[]
  /** Of all spans: a client that names it has them as they are. */
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
