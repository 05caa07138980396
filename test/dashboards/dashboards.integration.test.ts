import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import type { DashboardModel } from '../../dashboards/query/model.js'
import { runDashboard } from '../../dashboards/query/run-dashboard.js'
import type { DataSource } from '../../dashboards/query/run-query.js'
import { DASHBOARDS } from '../../dashboards/src/index.js'
import { startTestApp, type TestApp } from '../server/test-app.js'
import { shapeProblems } from './panel-shape.js'

const fixtures = new URL('../fixtures/', import.meta.url)
const SAMPLES = ['lynxe', 'plan-act/default-mock', 'plan-act/no-steps', 'review-log', 'seeds', 'trajectory']
  .flatMap((folder) => readdirSync(new URL(folder, fixtures)).map((name) => `${folder}/${name}`))
  .filter((path) => /\.(json|jsonl|sse)$/.test(path) && !path.includes('_output'))

const dashboards = Object.entries(DASHBOARDS) as unknown as [string, DashboardModel][]

let app: TestApp
let source: DataSource
let ran = 0

beforeAll(async () => {
  app = await startTestApp()
  for (const path of SAMPLES) await app.importRecords(readFileSync(new URL(path, fixtures)))
  source = { url: inject('clickhouseReaderUrl'), database: app.store.database }
})

afterAll(async () => {
  await app.close()
  // eslint-disable-next-line no-console
  console.log(`${ran} queries of ${dashboards.length} dashboards ran`)
})

describe('over the sample records', () => {
  const range = { from: new Date('2024-01-01T00:00:00Z'), to: new Date('2027-01-01T00:00:00Z') }

  test.each(dashboards)(
    'every query of %s runs as the read-only user, and its answer fits its panel',
    async (_, dashboard) => {
      const { queries } = await runDashboard(source, dashboard, range)
      ran += queries.length
      const problems = queries.flatMap(({ of, panel, frame }) => {
        const model = dashboard.panels.find(({ id }) => id === panel)
        return model && frame.length > 0 ? shapeProblems(model, frame).map((problem) => `${of}: ${problem}`) : []
      })
      expect(problems).toEqual([])
    },
  )
})
