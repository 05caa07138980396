import type { Canaries } from './canaries.js'

/** One query, and the object that it tries to reach. */
export interface Attempt {
  readonly of: string
  readonly sql: string
}

/** The outcome of many attempts. */
export interface Sweep {
  /** The queries that revealed hidden data, with their output. */
  readonly reported: readonly string[]
  /** What has changed: files, tables, connections. */
  readonly changed: readonly string[]
  /** The objects that answered at least one query. */
  readonly answered: ReadonlySet<string>
}

const AT_ONCE = 6

/** Runs all attempts as the reader, several at once. */
export async function sweep(canaries: Canaries, attempts: readonly Attempt[]): Promise<Sweep> {
  const before = new Set(await canaries.state())
  const reported: string[] = []
  const answered = new Set<string>()
  let next = 0
  const work = async () => {
    for (let attempt = attempts[next++]; attempt !== undefined; attempt = attempts[next++]) {
      const { of, sql } = attempt
      const { ok, text } = await canaries.ask(sql)
      if (canaries.reveals(sql, text)) reported.push(`${sql.slice(0, 200)} → ${text.slice(0, 500)}`)
      if (ok) answered.add(of)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const after = new Set(await canaries.state())
  const changed = [...before].filter((line) => !after.has(line)).concat([...after].filter((line) => !before.has(line)))
  return { reported, changed, answered }
}
