import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import { createStore } from '../../dist/store/index.js'

const DAYS = 7

// Fictitious prices for the screenshots, US dollars per million tokens: input, output, cached input.
const PRICES = {
  'claude-sonnet-4-5': [3, 15, 0.3],
  'gpt-5.4-mini': [0.25, 2, 0.025],
  'gemini-2.5-flash': [0.3, 2.5, 0.075],
  'deepseek-chat': [0.28, 0.42, 0.028],
  'gpt-4o': [2.5, 10, 1.25],
  'gpt-4o-mini': [0.15, 0.6, 0.075],
}

/**
 * Opens the store of the preview: the given ClickHouse, or an embedded ClickHouse with a week of generated plans.
 * choose(name) returns values for the variables of a dashboard; close() removes the embedded ClickHouse.
 */
export async function openPreviewStore({ clickhouse, database, plans }) {
  if (clickhouse) return preview({ url: clickhouse, database }, async () => {})
  // Dates are parsed as UTC.
  process.env['TZ'] = 'UTC'
  const { startTemporaryServer } = await import('../../dist/cli/temporary-server.js')
  const { server, remove } = await startTemporaryServer()
  try {
    const source = { url: server.clickhouseUrl, database: server.database }
    const cli = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
    const args = ['generate', '--plans', plans, '--days', String(DAYS), '--endpoint', server.url]
    const [status] = await once(spawn(process.execPath, [cli, ...args], { stdio: 'inherit' }), 'close')
    if (status !== 0) throw new Error(`planspan generate ended with ${status}.`)
    await setPrices(source)
    return preview(source, remove)
  } catch (error) {
    await remove()
    throw error
  }
}

function preview(source, close) {
  return {
    source,
    now: new Date(),
    close,
    choose: async (name) => (name === 'one-plan' ? { plan: await richestPlan(source) } : {}),
  }
}

// The plan with data for every panel.
async function richestPlan(source) {
  const { runQuery } = await import('../build/query/run-query.js')
  const rawSql = `
    SELECT PlanId
    FROM (
      SELECT PlanId, 'risk' AS Has FROM risks UNION ALL SELECT PlanId, 'call' FROM model_calls
      UNION ALL SELECT PlanId, 'wait' FROM waits UNION ALL SELECT PlanId, 'review' FROM reviews
      UNION ALL SELECT PlanId, 'step' FROM steps
    )
    GROUP BY PlanId
    ORDER BY uniq(Has) DESC, count() DESC
    LIMIT 1`
  const always = { range: { from: new Date(0), to: new Date() }, intervalMs: 1000 }
  const { frame } = await runQuery(source, { refId: 'plan', rawSql, format: 1 }, [], always)
  const [plan] = frame.fields[0].values
  if (plan === undefined) throw new Error('The store has no plans: name another --database, or none for made-up plans.')
  return plan
}

async function setPrices({ url, database }) {
  const store = createStore({ url, database })
  const values = Object.entries(PRICES).map(([model, [input, output, cached]]) => ({
    Model: model,
    InputUsdPerMillionTokens: input,
    OutputUsdPerMillionTokens: output,
    CacheReadUsdPerMillionTokens: cached,
  }))
  try {
    await store.client.insert({ table: `${database}.model_prices`, format: 'JSONEachRow', values })
  } finally {
    await store.close()
  }
}
