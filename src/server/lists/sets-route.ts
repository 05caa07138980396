import { Hono } from 'hono'
import { z } from 'zod'

import { PlanspanError } from '../../error.js'
import { setTotals, type SetMember } from '../../mapping/index.js'
import { type ListedPlan, type PlanFilters, type SpanReader, unixNanoNow } from '../../store/index.js'
import { FILTERS, MAX_SET_PLANS, SETS_QUERY, type SetsJson } from '../../wire/index.js'
import { addRoute, checkParameters, readQuery } from '../http/index.js'
import type { Records } from '../records/index.js'
import { toPlanFilters } from './to-plan-filters.js'

const PAGE = 1000

const SET = z.strictObject(FILTERS)

/** `GET /api/compare/sets`: the totals of several sets of plans. */
export function setsRoute({ reader }: Records): Hono {
  const app = new Hono()
  addRoute(app, 'GET /api/compare/sets', async (c) => {
    const { set: asked } = readQuery(c, SETS_QUERY)
    const now = unixNanoNow()
    const filters = asked.map((text) => toPlanFilters(checkSet(text), now))
    const sets: SetsJson['sets'] = []
    for (const [index, filter] of filters.entries()) {
      const { members, isWhole } = await membersOf(reader, filter, now)
      sets.push({ set: asked[index] ?? '', isWhole, ...setTotals(members) })
    }
    return c.json({ sets } satisfies SetsJson)
  })
  return app
}

function checkSet(text: string): z.output<typeof SET> {
  const given = [...new URLSearchParams(text)]
  const repeated = given.find(([name], index) => given.findIndex(([other]) => other === name) < index)
  if (repeated) throw new PlanspanError('usage', `Bad parameters: a set gives ${repeated[0]} more than once.`)
  return checkParameters(Object.fromEntries(given), SET)
}

/** Reads the plans of a set, page by page. */
async function membersOf(
  reader: SpanReader,
  filters: PlanFilters,
  now: bigint,
): Promise<{ members: SetMember[]; isWhole: boolean }> {
  const members: SetMember[] = []
  let cursor: string | undefined
  do {
    const page = await reader.listPlans({ ...filters, now, limit: PAGE, ...(cursor !== undefined && { cursor }) })
    for (const plan of page.plans) members.push(memberOf(plan))
    cursor = page.cursor
  } while (cursor !== undefined && members.length < MAX_SET_PLANS)
  return { members, isWhole: cursor === undefined }
}

function memberOf(plan: ListedPlan): SetMember {
  const { state, failures, tokens, costUsd, risk, startTimeUnixNano, endTimeUnixNano } = plan
  const { judged, unsafe, unsafeStopped, unsafeTaken } = plan
  return {
    state,
    failures,
    tokens: tokens === 0 ? null : tokens,
    costUsd: costUsd ?? null,
    durationMs: Number(endTimeUnixNano - startTimeUnixNano) / 1e6,
    risk: risk ?? null,
    judged,
    unsafe,
    unsafeStopped,
    unsafeTaken,
  }
}
