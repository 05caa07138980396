import { generatePlans } from '../../src/generate/index.js'
import { toStoredSpan } from '../../src/mapping/index.js'
import type { StoredSpan } from '../../src/semconv/index.js'
import type { Store } from '../../src/store/index.js'
import { readViews } from '../../src/store/views/views.js'

const PLANS = { plans: 12, days: 2, seed: 'upgrade', until: Date.UTC(2026, 2, 4) }

/** The spans of generated plans, an array per plan. */
export const planSpans = (): StoredSpan[][] =>
  [...generatePlans(PLANS)].map(({ service, spans }) =>
    spans.map((span) => ({ ...toStoredSpan(span), serviceName: service })),
  )

/** The rows of each view, the list of plans and the facet counts. */
export async function answers(store: Store): Promise<Record<string, unknown>> {
  const now = BigInt(PLANS.until) * 1_000_000n
  const list: unknown = (await store.reader.listPlans({ limit: 100, now })).plans
  const { facets } = await store.reader.countFacets({ now })
  const shown: [string, unknown][] = [['list', list], ...Object.entries(facets)]
  for (const { name } of readViews()) {
    const query = `SELECT * FROM ${store.database}.${name} ORDER BY ALL`
    shown.push([name, await (await store.client.query({ query, format: 'JSONEachRow' })).json()])
  }
  return Object.fromEntries(shown)
}
