import { querySql, readRows, type QueryTarget } from '../query.js'

/** Nanoseconds since the Unix epoch, as text. */
export interface TimeRange {
  readonly from: string
  readonly to: string
}

interface PartRow extends TimeRange {
  readonly mark: string
}

/**
 * Tells of which times rows may have come, whoever stored them: those of the parts that were not there before, which
 * are few and cost nothing to find.
 */
export class FreshParts {
  readonly #target: QueryTarget
  #known: ReadonlySet<string> = new Set()

  constructor(target: QueryTarget) {
    this.#target = target
  }

  /** Has each range of fresh times looked at; they count as known when all have been. */
  async look(at: (range: TimeRange) => Promise<void>): Promise<void> {
    const parts = await readRows<PartRow>(this.#target, querySql('call_parts', { database: this.#target.database }))
    for (const range of joined(parts.filter((part) => !this.#known.has(keyOf(part))))) await at(range)
    this.#known = new Set(parts.map(keyOf))
  }
}

/** In a table that was made anew, parts may be named as others were. */
const keyOf = ({ mark, from, to }: PartRow): string => `${mark} ${from} ${to}`

/** Ranges in the order of their beginnings, those that overlap as one. */
function joined(ranges: readonly TimeRange[]): TimeRange[] {
  const all: TimeRange[] = []
  for (const { from, to } of ranges) {
    const last = all.at(-1)
    if (last && BigInt(from) <= BigInt(last.to)) all[all.length - 1] = { from: last.from, to: later(last.to, to) }
    else all.push({ from, to })
  }
  return all
}

const later = (one: string, other: string): string => (BigInt(other) > BigInt(one) ? other : one)
