import { computed, effect, signal } from '@preact/signals'
import type { FacetsJson, ListChange, ListQuery, TotalsJson } from 'planspan/client'

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
  withFirstPage,
  withoutFar,
  withoutGone,
  withPage,
  withPageAgain,
  withWaiting,
} from './plan-rows.js'
import { isLive } from './live-switch.js'

const FIRST_PAGE = 100
const NEXT_PAGE = 500
/** The page size for reading a page again, since it may have grown. */
const PAGE_AGAIN = 1000
/** The largest number of pages whose plans are kept. */
const MOST_PAGES = 12
/** The distance from the last loaded row at which more rows are loaded, rows. */
const AHEAD = 100
/** The interval for refreshing counts while plans change. */
const FACETS_EVERY_MS = 10_000

export const rows = signal<PlanRows>(NO_ROWS)
export const facets = signal<FacetsJson | undefined>(undefined)
/** The totals of the plans, and their course over time. */
export const totals = signal<TotalsJson | undefined>(undefined)
/** Whether the first page has arrived. */
export const isLoaded = signal(false)
/** Whether the shown plans belong to an earlier query. */
export const isStale = signal(false)
export const failure = signal<string | undefined>(undefined)
const nextCursor = signal<string | undefined>(undefined)
export const hasMore = computed(() => nextCursor.value !== undefined)

/** The query of the URL to which the rows belong. */
export const shownSearch = signal<string | undefined>(undefined)

let query: ListQuery = {}
let current = new AbortController()

/** Shows and follows the list of the URL. Returns a function that stops this. */
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
  const { search, searchParams } = here.peek()
  const now = Date.now()
  query = listQueryOf(searchParams, now)
  void countAgain(signal)
  const page = await client.list({ ...query, limit: FIRST_PAGE }, { signal })
  isUp()
  const kept = search === shownSearch.peek() ? withFirstPage(rows.peek(), page.records) : undefined
  const seen = kept ? pagesAt(kept, seenRange).filter((place) => place > 0) : []
  rows.value = kept ? withoutFar(kept, [0, ...seen], seen.length) : withPage(NO_ROWS, page.records)
  if (!kept) nextCursor.value = page.nextCursor ?? undefined
  shownSearch.value = search
  for (const place of seen) await readAgain(place, signal)
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
  // A plan that newer plans pushed off the first page is still in the list.
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
  const filters = filtersOf(here.peek().searchParams, Date.now())
  try {
    const asked = [client.facets({ ...filters, limit: 50 }, { signal }), client.totals(filters, { signal })] as const
    ;[facets.value, totals.value] = await Promise.all(asked)
  } catch {
    // The list is read at the same time and reports the failure.
  }
}

let isReading = false
let seenRange: RowRange = { first: 0, last: 0 }

/** Loads a page of the list again. */
async function readAgain(place: number, signal: AbortSignal): Promise<void> {
  const cursor = rows.peek().pages[place]?.cursor
  const { records } = await client.list({ ...query, cursor, limit: PAGE_AGAIN }, { signal })
  rows.value = withPageAgain(rows.peek(), place, records)
}

/** Loads the plans of a range of rows and of those after it, one page at a time. */
export async function lookAt(range: RowRange): Promise<void> {
  seenRange = range
  const { signal } = current
  const read = isReading ? undefined : nextRead(range)
  if (!read) return
  isReading = true
  try {
    await read(signal)
  } catch (error) {
    // The list is followed at the same time and reports an outage; scrolling loads the rows again.
    if (!signal.aborted && !isPassing(error)) failure.value = error instanceof Error ? error.message : String(error)
  } finally {
    isReading = false
  }
}

/** Returns the next read that a range of rows needs. */
function nextRead(range: RowRange): ((signal: AbortSignal) => Promise<void>) | undefined {
  const before = rows.peek()
  const seen = pagesAt(before, range)
  const dropped = seen.find((place) => before.pages[place]?.plans === undefined)
  const take = (after: PlanRows): void => {
    rows.value = withoutFar(after, seen, MOST_PAGES)
  }
  if (dropped !== undefined) {
    return async (signal) => {
      await readAgain(dropped, signal)
      take(rows.peek())
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

/** Shows the new plans. */
export const showWaiting = (): void => {
  rows.value = withWaiting(rows.peek())
}
