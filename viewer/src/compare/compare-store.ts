import { computed, signal } from '@preact/signals'
import { pagePath, type ComparisonJson, type PlanName } from 'planspan/client'

import { client } from '../data/client.js'
import { untilDone } from '../data/connection.js'
import { differencesIn, isDifference, type ComparedRow, type Pair } from '../model/compared.js'
import { announce } from '../parts/announcement.js'
import { here, setParameters } from '../url/location.js'

/** The number of rows per request: the maximum of the API, which compares the whole plans for each request. */
const PAGE = 1000

export type CompareStore = ReturnType<typeof createCompareStore>

/** Creates the store of a comparison, which loads its rows page by page as they become visible. */
export function createCompareStore(names: readonly PlanName[]) {
  const compared = signal<ComparisonJson | undefined>(undefined)
  const readAt = signal(0)
  const failure = signal<string | undefined>(undefined)
  /** The loaded pages, and the requested pages, of each pair. */
  const pages = signal<ReadonlyMap<string, readonly ComparedRow[]>>(new Map())
  const asked = new Map<string, Promise<void>>()
  let lifetime = AbortSignal.abort()

  const numberIn = (name: string): number => Number(here.value.searchParams.get(name) ?? Number.NaN)
  /** The index of the plan beside the first. */
  const other = computed(() => Math.max(1, Math.min(names.length - 1, numberIn('with') || 1)))
  const pair = computed((): Pair | undefined => compared.value?.comparisons[other.value - 1])
  const selected = computed(() => (Number.isInteger(numberIn('row')) ? numberIn('row') : -1))

  const keyOf = (page: number, of = other.peek()): string => `${of} ${page}`
  const rowAt = (index: number): ComparedRow | undefined =>
    pages.value.get(keyOf(Math.floor(index / PAGE), other.value))?.[index % PAGE]

  const select = (index: number | undefined): void =>
    setParameters({ row: index === undefined ? undefined : String(index) }, { replace: true })

  async function read(): Promise<void> {
    const signal = lifetime
    try {
      await untilDone(async (isUp) => {
        const answer = await client.compare(names, { limit: PAGE }, { signal })
        isUp()
        asked.clear()
        pages.value = new Map(answer.comparisons.map(({ other, rows }) => [keyOf(0, other), rows]))
        readAt.value = Date.now()
        compared.value = answer
      }, signal)
    } catch (error) {
      if (!signal.aborted) failure.value = error instanceof Error ? error.message : String(error)
    }
  }

  /** Loads a page of rows, unless it is loaded or requested. */
  function need(page: number): Promise<void> {
    const key = keyOf(page)
    if (pages.peek().has(key)) return Promise.resolve()
    const reading = asked.get(key) ?? readPage(page, other.peek())
    asked.set(key, reading)
    return reading
  }

  async function readPage(page: number, of: number): Promise<void> {
    const signal = lifetime
    const two = [names[0], names[of]].filter((name) => name !== undefined)
    try {
      await untilDone(async (isUp) => {
        const answer = await client.compare(two, { from: page * PAGE, limit: PAGE }, { signal })
        isUp()
        const pair = answer.comparisons[0]
        // A plan that has changed in the meantime has other rows.
        if (pair?.rowCount !== compared.peek()?.comparisons[of - 1]?.rowCount) return read()
        pages.value = new Map([...pages.peek(), [keyOf(page, of), pair?.rows ?? []]])
      }, signal)
    } catch (error) {
      if (!signal.aborted) announce(error instanceof Error ? error.message : String(error))
    } finally {
      asked.delete(keyOf(page, of))
    }
  }

  return {
    names,
    compared,
    readAt,
    failure,
    other,
    pair,
    selected,
    selectedRow: computed(() => rowAt(selected.value)),
    rowAt,
    select,

    /** Selects the plan beside the first. */
    show(index: number): void {
      setParameters({ with: index === 1 ? undefined : String(index), row: undefined })
    },

    /** Loads the rows of an index range. */
    needRows(from: number, to: number): void {
      for (let page = Math.floor(from / PAGE); page * PAGE <= to; page++) void need(page)
    },

    /** Compares until the signal aborts. */
    start(signal: AbortSignal): Promise<void> {
      lifetime = signal
      return read()
    },

    /** Compares again, since a plan may have changed. */
    again: read,

    /** Goes to the next or previous difference, wrapping around. */
    async toDifference(by: 1 | -1): Promise<void> {
      const known = pair.peek()
      if (!known || differencesIn(known) === 0) return announce('Both did the same')
      const { rowCount } = known
      const begin = selected.peek() < 0 && by < 0 ? rowCount : selected.peek()
      for (let step = 1; step <= rowCount; step++) {
        const index = (begin + by * step + 2 * rowCount) % rowCount
        await need(Math.floor(index / PAGE))
        const row = rowAt(index)
        if (!row) return
        if (isDifference(row)) return select(index)
      }
    },
  }
}

/** Returns the path to a row's span in its plan; undefined if that plan has no span there. */
export function spanPath(
  { names, other }: Pick<CompareStore, 'names' | 'other'>,
  row: Pick<ComparedRow, 'base' | 'other'>,
  side: 'base' | 'other',
): string | undefined {
  const name = names[side === 'base' ? 0 : other.value]
  const spanId = row[side]?.spanId
  return name && spanId ? pagePath(name, { span: spanId }) : undefined
}
