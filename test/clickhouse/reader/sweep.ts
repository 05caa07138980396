import type { Canaries } from './canaries.js'

/** One query, and the thing that it tries. */
export interface Attempt {
  readonly of: string
  readonly sql: string
}

/** What came of many. */
export interface Sweep {
  /** The queries that told what they must not, with what they told. */
  readonly told: readonly string[]
  /** What is otherwise than before: files, tables, connections. */
  readonly changed: readonly string[]
  /** The things that answered one query or more. */
  readonly answered: ReadonlySet<string>
}

const AT_ONCE = 6

/** Runs all attempts as the reader, several at once. */
export async function sweep(canaries: Canaries, attempts: readonly Attempt[]): Promise<Sweep> {
  const before = new Set(await canaries.state())
  const told: string[] = []
  const answered = new Set<string>()
  let next = 0
  const work = async () => {
    for (let attempt = attempts[next++]; attempt !== undefined; attempt = attempts[next++]) {
      const { of, sql } = attempt
      const { ok, text } = await canaries.ask(sql)
      if (canaries.tells(sql, text)) told.push(`${sql.slice(0, 200)} → ${text.slice(0, 500)}`)
      if (ok) answered.add(of)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const after = new Set(await canaries.state())
  const changed = [...before].filter((line) => !after.has(line)).concat([...after].filter((line) => !before.has(line)))
  return { told, changed, answered }
}
