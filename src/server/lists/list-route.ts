import { Hono } from 'hono'

import type { Verdict } from '../../semconv/index.js'
import { unixNanoNow, type ListedPlan, type ListPlansOptions, type PlanPage } from '../../store/index.js'
import {
  FACETS_QUERY,
  LIST_QUERY,
  TOTALS_QUERY,
  type FacetsJson,
  type RecordPage,
  type TotalsJson,
} from '../../wire/index.js'
import { addRoute, readQuery } from '../http/index.js'
import { toPlanJson } from '../json/index.js'
import { goneOf, type Records, type Gone } from '../records/index.js'
import { toPlanFilters } from './to-plan-filters.js'

/** The list of plans, and the counts of their values. */
export function listRoute(records: Records): Hono {
  const app = new Hono()

  addRoute(app, 'GET /api/records', async (c) => {
    const { verdict, sort, order, cursor, limit, ...filters } = readQuery(c, LIST_QUERY)
    const now = unixNanoNow()
    const options = {
      ...toPlanFilters(filters, now),
      ...(sort && { sort }),
      ...(order && { order }),
      ...(cursor !== undefined && { cursor }),
      ...(limit !== undefined && { limit }),
      now,
    }
    const { plans, cursor: next } = verdict
      ? await listByVerdict(records, { options, verdict }, goneOf(c))
      : await records.reader.listPlans(options)
    return c.json({ records: plans.map(toPlanJson), nextCursor: next ?? null } satisfies RecordPage)
  })

  addRoute(app, 'GET /api/facets', async (c) => {
    const { limit, ...filters } = readQuery(c, FACETS_QUERY)
    const now = unixNanoNow()
    const found = await records.reader.countFacets({
      ...toPlanFilters(filters, now),
      ...(limit !== undefined && { values: limit }),
      now,
    })
    return c.json(found satisfies FacetsJson)
  })

  addRoute(app, 'GET /api/totals', async (c) => {
    const { buckets, ...filters } = readQuery(c, TOTALS_QUERY)
    const now = unixNanoNow()
    const { course, ...totals } = await records.reader.sumPlans({
      ...toPlanFilters(filters, now),
      ...(buckets !== undefined && { buckets }),
      now,
    })
    const dated = course.map(({ startMs, ...sums }) => ({ start: new Date(startMs).toISOString(), ...sums }))
    return c.json({ ...totals, course: dated } satisfies TotalsJson)
  })

  return app
}

interface ByVerdict {
  readonly options: ListPlansOptions
  readonly verdict: Verdict
}

/** The maximum number of records to rebuild per page. A page that is not full then ends with a cursor. */
const MAX_REBUILT = 500
/** The number of records that are rebuilt at once. */
const AT_ONCE = 8

/** Returns a page of the plans whose records have a verdict. Each candidate's record is rebuilt to find its verdict. */
async function listByVerdict(records: Records, { options, verdict }: ByVerdict, gone: Gone): Promise<PlanPage> {
  const { limit = 50 } = options
  const plans: ListedPlan[] = []
  let cursor = options.cursor
  for (let rebuilt = 0; rebuilt < MAX_REBUILT;) {
    const page = await records.reader.listPlans({ ...options, limit, ...(cursor !== undefined && { cursor }) })
    for (let at = 0; at < page.plans.length; at += AT_ONCE) {
      const some = page.plans.slice(at, at + AT_ONCE)
      const verdicts = await Promise.all(some.map((plan) => verdictOf(records, plan, options.now, gone)))
      for (const [index, plan] of some.entries()) {
        cursor = plan.cursor
        if (verdicts[index] === verdict) plans.push(plan)
        if (plans.length === limit) return { plans, cursor: isLast(page, plan) ? undefined : cursor }
      }
    }
    rebuilt += page.plans.length
    if (page.cursor === undefined) return { plans, cursor: undefined }
  }
  return { plans, cursor }
}

const isLast = (page: PlanPage, plan: ListedPlan): boolean => page.cursor === undefined && page.plans.at(-1) === plan

/** Returns undefined if the first span of the record has not arrived. */
async function verdictOf(
  { rebuilder }: Records,
  { planId, traceId, live, dialect, source, recordKey, convention }: ListedPlan,
  now: bigint | undefined,
  gone: Gone,
): Promise<Verdict | undefined> {
  const trace = { traceId, live, dialect, source, recordKey, ...(convention !== '' && { byTraceId: true as const }) }
  const { verdict } = await rebuilder.run(
    'verdict',
    { trace, joined: false, options: { planId, ...(now !== undefined && { now }) } },
    gone,
  )
  return verdict
}
