import { type GenerateOptions, generatePlans } from '../../src/generate/index.js'
import type { Span } from '../../src/semconv/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import type { TestApp } from '../server/test-app.js'
import { indexAll } from '../support/index-all.js'

const BATCH = 10_000

/** Sends sample plans, each from its own service, and gives every model a price. */
export async function sendPlans({ app, store }: TestApp, options: GenerateOptions): Promise<void> {
  const batches = new Map<string, Span[]>()
  for (const { service, spans } of generatePlans(options)) {
    const batch = [...(batches.get(service) ?? []), ...spans]
    batches.set(service, batch.length < BATCH ? batch : [])
    if (batch.length >= BATCH) await send(app, service, batch)
  }
  for (const [service, batch] of batches) await send(app, service, batch)
  await store.client.command({
    query: `INSERT INTO ${store.database}.model_prices (Model, InputUsdPerMillionTokens, OutputUsdPerMillionTokens)
            SELECT DISTINCT PricedModel, 2, 8 FROM ${store.database}.model_calls WHERE PricedModel != ''`,
    clickhouse_settings: { distributed_foreground_insert: 1 },
  })
  await indexStored(store)
}

/** Indexes all stored spans. */
export const indexStored = ({ client, database }: TestApp['store']): Promise<void> =>
  indexAll({ client, database, url: 'http://127.0.0.1' })

/** The id of a live plan with data for every panel except sub-plans. */
export async function richPlan({ store: { client, database } }: TestApp): Promise<string> {
  const answer = await client.query({
    query: `SELECT risks.PlanId AS plan FROM ${database}.risks INNER JOIN ${database}.waits USING (PlanId)
            WHERE PlanId IN (SELECT PlanId FROM ${database}.model_calls) AND PlanId IN (SELECT PlanId FROM ${database}.steps)
            ORDER BY plan LIMIT 1`,
    format: 'JSONEachRow',
  })
  const [found] = await answer.json<{ plan: string }>()
  if (!found) throw new Error('No plan has all of risks, waits, model calls and steps: generate more of them.')
  return found.plan
}

async function send(app: TestApp['app'], serviceName: string, spans: readonly Span[]): Promise<void> {
  const sender = createSpanSender({
    url: 'http://localhost/v1/traces',
    serviceName,
    fetch: async (input, init) => app.request(input instanceof URL ? input.href : input, init),
  })
  const { rejected, reasons } = await sender.send(spans)
  if (rejected > 0) throw new Error(reasons.join(' '))
}
