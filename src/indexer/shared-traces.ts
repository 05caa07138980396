import type { Positions } from '../store/index.js'
import { lowest } from './resting.js'

/** The delay after which a shared trace is indexed once more, milliseconds. */
const CHECK_MS = 5_000

/** Traces that become due together, and the positions before their rows. */
interface Group {
  readonly ids: Set<string>
  before: Positions | undefined
}

/**
 * Traces whose rows another indexer may write at the same time, from the same spans or from other ones. They are
 * indexed once more after both indexers have written.
 */
export class SharedTraces {
  #open: Group = emptyGroup()
  #closed: (Group & { readonly dueAt: number }) | undefined

  /** Adds traces whose rows are in later blocks than some positions. */
  add(traceIds: Iterable<string>, before: Positions): void {
    const { ids } = this.#open
    const known = ids.size
    for (const traceId of traceIds) ids.add(traceId)
    if (ids.size === known) return
    this.#open.before = this.#open.before ? lowest([...this.#open.before], before) : before
  }

  /** The number of traces that have to be indexed once more. */
  get size(): number {
    return this.#open.ids.size + (this.#closed?.ids.size ?? 0)
  }

  /** Returns the traces that are due, and forgets them. */
  takeDue(): ReadonlySet<string> {
    const closed = this.#closed
    const isDue = closed !== undefined && Date.now() >= closed.dueAt
    if (isDue) this.#closed = undefined
    if (!this.#closed && this.#open.ids.size > 0) {
      this.#closed = { ...this.#open, dueAt: Date.now() + CHECK_MS }
      this.#open = emptyGroup()
    }
    return isDue ? closed.ids : NONE
  }

  /** Returns the positions up to which no trace has to be indexed once more. */
  limit(positions: Positions): Map<string, number> {
    return [this.#open, this.#closed].reduce(
      (limited, group) => (group?.before ? lowest([...limited], group.before) : limited),
      new Map(positions),
    )
  }
}

const NONE: ReadonlySet<string> = new Set()

const emptyGroup = (): Group => ({ ids: new Set(), before: undefined })
