/** The kinds of parts of a table's TTL: it deletes rows, it moves them, or it does something else. */
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

/** Whether two TTLs have the same parts, in any order. */
export const sameTtl = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join() === other.toSorted().join()
