import { computed, effect, signal } from '@preact/signals'
import type { FacetsJson, ListChange, ListQuery } from 'planspan/client'

import { client } from '../data/client.js'
import { isPassing, untilDone } from '../data/connection.js'
import { eachFrame } from '../data/each-frame.js'
import { here } from '../url/location.js'
import { filtersOf, listQueryOf } from './filters.js'
import {
  countOf,
  keyOf,
  NO_ROWS,
  pagesAt,
  type PlanRows,
  type RowRange,
  withChanges,
  withoutFar,
  withoutGone,
  withPage,
  withPageAgain,
  withWaiting,
} from './plan-rows.js'
import { isLive } from './live-switch.js'

const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** A page that is read again may have grown. */
const PAGE_AGAIN = 1000
/** The plans of so many pages are held at most. */
const MOST_PAGES = 12
/** How near to the end of what is loaded more is asked for, rows. */
const AHEAD = 100
/** How often counts are taken anew while plans change. */
const FACETS_EVERY_MS = 10_000

export const rows = signal<PlanRows>(NO_ROWS)
export const facets = signal<FacetsJson | undefined>(undefined)
/** Undefined until the first page has come. */
export const isLoaded = signal(false)
/** Whether what is shown answers an earlier question. */
export const isStale = signal(false)
export const failure = signal<string | undefined>(undefined)
const nextCursor = signal<string | undefined>(undefined)
export const hasMore = computed(() => nextCursor.value !== undefined)

let query: ListQuery = {}
let current = new AbortController()

/** Shows and follows the list of the URL until the returned function is called. */
export function followList(): () => void {
  const asked = computed(() => `${here.value.search} ${isLive.value ? 'live' : ''}`)
  const stop = effect(() => {
    void asked.value
    current.abort()
    current = new AbortController()
    void follow(current.signal)
  })
  return () => {
    stop()
    current.abort()
  }
}

async function follow(signal: AbortSignal): Promise<void> {
  isStale.value = true
  failure.value = undefined
  try {
    await untilDone((isUp) => readAndWatch(signal, isUp), signal)
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error)
    isStale.value = false
    isLoaded.value = true
  }
}

async function readAndWatch(signal: AbortSignal, isUp: () => void): Promise<void> {
  const { searchParams } = here.peek()
  const now = Date.now()
  query = listQueryOf(searchParams, now)
  void countAgain(signal)
  const page = await client.list({ ...query, limit: FIRST_PAGE }, { signal })
  isUp()
  rows.value = withPage(NO_ROWS, page.records)
  nextCursor.value = page.nextCursor ?? undefined
  isStale.value = false
  isLoaded.value = true
  if (!isLive.peek()) return
  const take = eachFrame<ListChange>((changes) => {
    if (!signal.aborted) apply(changes, signal)
  })
  const watched = { ...query, limit: FIRST_PAGE }
  for await (const change of client.listChanges(watched, { signal, patienceMs: 0 })) {
    isUp()
    take(change)
  }
}

function apply(changes: readonly ListChange[], signal: AbortSignal): void {
  const plans = changes.flatMap((change) => (change.kind === 'plan' ? [change.plan] : []))
  const gone = new Set(changes.flatMap((change) => (change.kind === 'gone' ? [keyOf(change)] : [])))
  const before = rows.peek()
  let after = plans.length > 0 ? withChanges(before, plans) : before
  // A plan that newer ones have pushed off the first page has not left the list.
  const isWhole = countOf(before) + before.waiting.length < FIRST_PAGE
  if (gone.size > 0 && isWhole) after = withoutGone(after, gone)
  rows.value = after
  if (after.waiting.length !== before.waiting.length || gone.size > 0) countSoon(signal)
}

let counting = false
function countSoon(signal: AbortSignal): void {
  if (counting) return
  counting = true
  setTimeout(() => {
    counting = false
    if (!signal.aborted) void countAgain(signal)
  }, FACETS_EVERY_MS)
}

async function countAgain(signal: AbortSignal): Promise<void> {
  try {
    facets.value = await client.facets({ ...filtersOf(here.peek().searchParams, Date.now()), limit: 50 }, { signal })
  } catch {
    // The list is read beside this, and tells why it cannot be.
  }
}

let isReading = false

/** Sees to it that some rows are there, and those behind them: reads a page of them, where none is on its way. */
export async function lookAt(range: RowRange): Promise<void> {
  const { signal } = current
  const read = isReading ? undefined : nextRead(range)
  if (!read) return
  isReading = true
  try {
    await read(signal)
  } catch (error) {
    // The list is followed beside this, and tells of an outage; it is read on when it is scrolled again.
    if (!signal.aborted && !isPassing(error)) failure.value = error instanceof Error ? error.message : String(error)
  } finally {
    isReading = false
  }
}

/** What has to be read next to show some rows. */
function nextRead(range: RowRange): ((signal: AbortSignal) => Promise<void>) | undefined {
  const before = rows.peek()
  const seen = pagesAt(before, range)
  const dropped = seen.find((place) => before.pages[place]?.plans === undefined)
  const take = (after: PlanRows): void => {
    rows.value = withoutFar(after, seen, MOST_PAGES)
  }
  if (dropped !== undefined) {
    const cursor = before.pages[dropped]?.cursor
    return async (signal) => {
      const { records } = await client.list({ ...query, cursor, limit: PAGE_AGAIN }, { signal })
      take(withPageAgain(rows.peek(), dropped, records))
    }
  }
  const cursor = nextCursor.peek()
  if (cursor === undefined || range.last + AHEAD < countOf(before)) return undefined
  return async (signal) => {
    const page = await client.list({ ...query, cursor, limit: NEXT_PAGE }, { signal })
    nextCursor.value = page.nextCursor ?? undefined
    take(withPage(rows.peek(), page.records, cursor))
  }
}

/** Shows the plans that have come since. */
export const showWaiting = (): void => {
  rows.value = withWaiting(rows.peek())
}
