import { expect, test } from 'vitest'
import { startServer } from '../../src/server/index.js'
import { freshDatabase } from '../support/clickhouse.js'
import { expectLongPlan } from '../support/expect-long-plan.js'
import { runLongPlan } from '../support/long-plan.js'

test('a plan that asks, dies in a tool call and continues in another process is visible all the time', async () => {
  const { url, database, drop } = await freshDatabase()
  const server = await startServer({ clickhouse: url, database, port: 0 })
  try {
    const life = await runLongPlan(server.url, server.url)
    expectLongPlan(life)
    const list = await fetch(`${server.url}/api/records`)
    expect(await list.json()).toMatchObject({ records: [{ planId: life.planId, state: 'completed' }] })
  } finally {
    await server.close()
    await drop()
  }
})
