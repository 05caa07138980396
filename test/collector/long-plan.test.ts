import { afterAll, beforeAll, expect, it } from 'vitest'

import { expectLongPlan } from '../support/expect-long-plan.js'
import { runLongPlan } from '../support/long-plan.js'
import { openTwoRoads, type TwoRoads } from './two-roads.js'

let roads: TwoRoads

beforeAll(async () => {
  roads = await openTwoRoads()
})
afterAll(() => roads.close())

it('shows a plan through the collector while it asks, dies in a tool call and continues in another process', async () => {
  const life = await runLongPlan(roads.bridge.url, roads.bridge.server.url)
  expectLongPlan(life)
  expect(await roads.direct.stored.scalar(`SELECT count() FROM ${roads.direct.stored.database}.otel_traces`)).toBe('0')
})
