/** The parts of a table's TTL: when rows are dropped, where they move, and all else. */
export type TtlKind = 'delete' | 'move' | 'other'

const TOKENS = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[^'`]/g

/** Splits a TTL, as ClickHouse writes it, at the commas between its parts. */
export function splitTtl(ttl: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of ttl.matchAll(TOKENS)) {
    if (token === '(') depth += 1
    if (token === ')') depth -= 1
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

export function kindOfTtl(part: string): TtlKind {
  if (/ TO (?:VOLUME|DISK) '[^']*'$/.test(part)) return 'move'
  return / (?:RECOMPRESS CODEC\(|GROUP BY )/.test(part) ? 'other' : 'delete'
}

/** Whether two TTLs are the same, in whichever order. */
export const sameTtl = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()
