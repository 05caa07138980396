import type { PlanJson } from 'planspan/client'

/** A part of the list as it was read: what reads it again, and its plans while they are near to what is looked at. */
export interface PlanPage {
  readonly cursor: string | undefined
  readonly count: number
  /** The key of its last plan. */
  readonly last: string | undefined
  /** Undefined once it was dropped. */
  readonly plans: readonly PlanJson[] | undefined
  readonly keys: ReadonlySet<string>
}

/** The rows of a list: plans that have come since, and below them its pages; others that came are not shown yet. */
export interface PlanRows {
  readonly came: readonly PlanJson[]
  readonly pages: readonly PlanPage[]
  readonly waiting: readonly PlanJson[]
}

export const NO_ROWS: PlanRows = { came: [], pages: [], waiting: [] }

export const keyOf = ({ traceId, planId }: Pick<PlanJson, 'traceId' | 'planId'>): string => `${traceId} ${planId}`

/** How many plans are shown, or were and can be read again. */
export const countOf = ({ came, pages }: PlanRows): number => pages.reduce((sum, { count }) => sum + count, came.length)

/** The plan in a row; undefined where it has to be read again, or there is no such row. */
export function planAt({ came, pages }: PlanRows, index: number): PlanJson | undefined {
  if (index < came.length) return came[index]
  let at = index - came.length
  for (const { count, plans } of pages) {
    if (at < count) return plans?.[at]
    at -= count
  }
  return undefined
}

/** The pages that rows lie on, from the first to the last one, by their places. */
export function pagesAt({ came, pages }: PlanRows, { first, last }: RowRange): number[] {
  const places: number[] = []
  let from = came.length
  for (const [place, { count }] of pages.entries()) {
    if (from <= last && from + count > first) places.push(place)
    from += count
  }
  return places
}

/** Rows from one to another, both included. */
export interface RowRange {
  readonly first: number
  readonly last: number
}

/** Brings rows up to date in their places; what is new waits in front, so that nothing moves under a reader's eyes. */
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

/** Without the plans that have left the list. */
export function withoutGone({ came, pages, waiting }: PlanRows, gone: ReadonlySet<string>): PlanRows {
  const stay = (plans: readonly PlanJson[]): PlanJson[] => plans.filter((plan) => !gone.has(keyOf(plan)))
  return {
    came: stay(came),
    pages: pages.map((page) => (page.plans ? { ...page, ...placed(stay(page.plans)) } : page)),
    waiting: stay(waiting),
  }
}

/** The rows with another page at their end, without the plans that are there already. */
export const withPage = (rows: PlanRows, plans: readonly PlanJson[], cursor?: string): PlanRows => ({
  ...rows,
  pages: [...rows.pages, { cursor, ...placed(notIn(rows, plans)) }],
})

/** The rows with a page that was read again: as far as it went, with what has come in between. */
export function withPageAgain(rows: PlanRows, place: number, plans: readonly PlanJson[]): PlanRows {
  const page = rows.pages[place]
  if (!page) return rows
  const end = plans.findIndex((plan) => keyOf(plan) === page.last)
  const own = notIn(rows, plans.slice(0, end < 0 ? page.count : end + 1))
  return { ...rows, pages: rows.pages.with(place, { cursor: page.cursor, ...placed(own), last: page.last }) }
}

/** The plans that are in no row. */
function notIn({ came, pages, waiting }: PlanRows, plans: readonly PlanJson[]): PlanJson[] {
  const inFront = new Set([...came, ...waiting].map(keyOf))
  const isThere = (key: string): boolean => inFront.has(key) || pages.some(({ keys }) => keys.has(key))
  return plans.filter((plan) => !isThere(keyOf(plan)))
}

/**
 * The rows with the plans of the first page, which changes are told of, and of so many others at most: those nearest to
 * the pages that are looked at.
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

/** The rows with those that waited at their front. */
export const withWaiting = ({ came, pages, waiting }: PlanRows): PlanRows => ({
  came: [...waiting, ...came],
  pages,
  waiting: [],
})

const placed = (plans: readonly PlanJson[]): Omit<PlanPage, 'cursor'> => {
  const keys = plans.map(keyOf)
  return { count: plans.length, last: keys.at(-1), plans, keys: new Set(keys) }
}
