import type { FacetsJson, PlanJson, RecordPage, SpanJson, StructureJson, TotalsJson } from '../../../src/wire/index.js'
import type { Viewer } from './viewer.js'

/** The server's response, to compare with the page. */
async function ask<T>({ url }: Viewer, path: string): Promise<T> {
  const response = await fetch(`${url}${path}`)
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as T
}

export const askPlans = async (viewer: Viewer, query: string): Promise<PlanJson[]> =>
  (await ask<RecordPage>(viewer, `/api/records?${query}`)).records

/** A sample plan that failed. */
export const askFailed = (viewer: Viewer): Promise<PlanJson> =>
  askFirst(viewer, 'state=failed&workflow=code-change&limit=1')

/** The sample plan with the highest risk. */
export const askRiskiest = (viewer: Viewer): Promise<PlanJson> =>
  askFirst(viewer, 'sort=risk&workflow=invoice-audit&limit=1')

async function askFirst(viewer: Viewer, query: string): Promise<PlanJson> {
  const [first] = await askPlans(viewer, query)
  if (!first) throw new Error(`There is no plan for ${query}.`)
  return first
}

export const askFacets = (viewer: Viewer, query = ''): Promise<FacetsJson> => ask(viewer, `/api/facets?${query}`)

export const askTotals = (viewer: Viewer): Promise<TotalsJson> => ask(viewer, '/api/totals')

export const askStructure = (viewer: Viewer, { planId, traceId }: PlanJson): Promise<StructureJson> =>
  ask(viewer, `/api/records/${encodeURIComponent(planId)}?fields=structure&trace=${traceId}`)

export const askSpan = (viewer: Viewer, { planId, traceId }: PlanJson, spanId: string): Promise<SpanJson> =>
  ask(viewer, `/api/records/${encodeURIComponent(planId)}/spans/${spanId}?trace=${traceId}`)

/** The path of a plan's page. */
export const pathOf = ({ planId, traceId }: PlanJson): string => `/plans/${encodeURIComponent(planId)}?trace=${traceId}`
