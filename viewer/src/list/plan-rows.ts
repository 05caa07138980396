import type { PlanJson, PlanName } from 'planspan/client'

/** A loaded page of the list: how to load it again, and its plans while they are near the visible rows. */
interface PlanPage {
  readonly cursor: string | undefined
  readonly count: number
  /** The key of its last plan. */
  readonly last: string | undefined
  /** Undefined after they were dropped. */
  readonly plans: readonly PlanJson[] | undefined
  readonly keys: ReadonlySet<string>
}

/** The rows of a list: plans that have appeared since, and below them its pages; `waiting` plans are not shown yet. */
export interface PlanRows {
  readonly came: readonly PlanJson[]
  readonly pages: readonly PlanPage[]
  readonly waiting: readonly PlanJson[]
}

export const NO_ROWS: PlanRows = { came: [], pages: [], waiting: [] }

export const keyOf = ({ traceId, planId }: Pick<PlanJson, 'traceId' | 'planId'>): string => `${traceId} ${planId}`

/** The number of plans that are shown, including those that can be loaded again. */
export const countOf = ({ came, pages }: PlanRows): number => pages.reduce((sum, { count }) => sum + count, came.length)

/** Returns the plan of a row; undefined if it must be loaded again, or if there is no such row. */
export function planAt({ came, pages }: PlanRows, index: number): PlanJson | undefined {
  if (index < came.length) return came[index]
  let at = index - came.length
  for (const { count, plans } of pages) {
    if (at < count) return plans?.[at]
    at -= count
  }
  return undefined
}

/** Returns the indexes of the pages that contain rows of a range. */
export function pagesAt({ came, pages }: PlanRows, { first, last }: RowRange): number[] {
  const places: number[] = []
  let from = came.length
  for (const [place, { count }] of pages.entries()) {
    if (from <= last && from + count > first) places.push(place)
    from += count
  }
  return places
}

/** A range of rows, inclusive. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** Updates rows in place; new plans wait at the top, so that nothing moves while someone reads. */
export function withChanges({ came, pages, waiting }: PlanRows, changed: readonly PlanJson[]): PlanRows {
  const news = new Map(changed.map((plan) => [keyOf(plan), plan]))
  const updated = (plans: readonly PlanJson[]): readonly PlanJson[] => plans.map((plan) => taken(news, plan))
  const [nowCame, nowWaiting] = [updated(came), updated(waiting)]
  const nowPages = pages.map((page) => {
    const here = [...news.keys()].filter((key) => page.keys.has(key))
    return here.length === 0 || !page.plans ? page : { ...page, plans: updated(page.plans) }
  })
  return { came: nowCame, pages: nowPages, waiting: [...[...news.values()].toReversed(), ...nowWaiting] }
}

function taken(news: Map<string, PlanJson>, plan: PlanJson): PlanJson {
  if (news.size === 0) return plan
  const key = keyOf(plan)
  const newer = news.get(key)
  news.delete(key)
  return newer ?? plan
}

/** Removes the plans that have left the list. */
export function withoutGone({ came, pages, waiting }: PlanRows, gone: ReadonlySet<string>): PlanRows {
  const stay = (plans: readonly PlanJson[]): PlanJson[] => plans.filter((plan) => !gone.has(keyOf(plan)))
  return {
    came: stay(came),
    pages: pages.map((page) => (page.plans ? { ...page, ...placed(stay(page.plans)) } : page)),
    waiting: stay(waiting),
  }
}

/** Appends a page, without the plans that are in the list already. */
export const withPage = (rows: PlanRows, plans: readonly PlanJson[], cursor?: string): PlanRows => ({
  ...rows,
  pages: [...rows.pages, { cursor, ...placed(notIn(rows, plans)) }],
})

/** Updates a list to the first page as it is now. Returns undefined if the page has nothing in common with the list. */
export function withFirstPage(rows: PlanRows, plans: readonly PlanJson[]): PlanRows | undefined {
  const now = new Set(plans.map(keyOf))
  const before = [...rows.came, ...(rows.pages[0]?.plans ?? [])].map(keyOf)
  const last = before.findLastIndex((key) => now.has(key))
  if (last < 0) return undefined
  // Plans behind the last common one are still in the list: newer plans pushed them off the page.
  const gone = new Set(before.slice(0, last).filter((key) => !now.has(key)))
  return withoutGone(withChanges(rows, plans), gone)
}

/** Replaces a page that was loaded again, up to its last plan, with plans that have appeared within it. */
export function withPageAgain(rows: PlanRows, place: number, plans: readonly PlanJson[]): PlanRows {
  const page = rows.pages[place]
  if (!page) return rows
  const end = plans.findIndex((plan) => keyOf(plan) === page.last)
  const others = { ...rows, pages: rows.pages.toSpliced(place, 1) }
  const own = notIn(others, plans.slice(0, end < 0 ? page.count : end + 1))
  return { ...rows, pages: rows.pages.with(place, { cursor: page.cursor, ...placed(own), last: page.last }) }
}

/** Returns the plans that are in no row. */
function notIn({ came, pages, waiting }: PlanRows, plans: readonly PlanJson[]): PlanJson[] {
  const inFront = new Set([...came, ...waiting].map(keyOf))
  const isThere = (key: string): boolean => inFront.has(key) || pages.some(({ keys }) => keys.has(key))
  return plans.filter((plan) => !isThere(keyOf(plan)))
}

/**
 * Drops the plans of distant pages: keeps the first page, which receives changes, and at most `most` other plans,
 * nearest to the visible pages.
 */
export function withoutFar(rows: PlanRows, seen: readonly number[], most: number): PlanRows {
  const { pages } = rows
  const held = [...pages.keys()].filter((place) => place > 0 && pages[place]?.plans)
  if (held.length <= most) return rows
  const distance = (place: number): number => Math.min(...seen.map((one) => Math.abs(one - place)))
  const far = new Set(held.toSorted((a, b) => distance(a) - distance(b)).slice(most))
  const dropped = (page: PlanPage): PlanPage => ({ ...page, plans: undefined, keys: new Set() })
  return { ...rows, pages: pages.map((page, place) => (far.has(place) ? dropped(page) : page)) }
}

/** Moves the waiting plans into the rows. */
export const withWaiting = ({ came, pages, waiting }: PlanRows): PlanRows => ({
  came: [...waiting, ...came],
  pages,
  waiting: [],
})

const placed = (plans: readonly PlanJson[]): Omit<PlanPage, 'cursor'> => {
  const keys = plans.map(keyOf)
  return { count: plans.length, last: keys.at(-1), plans, keys: new Set(keys) }
}

/** The name of a plan in a list. A live plan keeps its id in several traces; an import is identified by its trace. */
export const nameOf = ({ planId, traceId, live }: PlanJson): PlanName => ({
  planId,
  ...(live ? {} : { trace: traceId }),
})
