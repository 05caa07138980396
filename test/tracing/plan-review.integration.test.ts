import { execFile } from 'node:child_process'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startServer } from '../../src/server/index.js'
import { execute, freshDatabase } from '../support/clickhouse.js'

const run = promisify(execFile)

test('a plan that is reviewed twice, over three runs, is one record', async () => {
  const { url, database, drop } = await freshDatabase()
  const server = await startServer({ clickhouse: url, database, port: 0 })
  try {
    await run(process.execPath, ['examples/plan-review.mjs', 'plan-7'], {
      env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: server.url },
    })
    const response = await fetch(`${server.url}/api/records/plan-7?format=plan-execution`)
    expect(response.headers.get('planspan-state')).toBe('completed')
    expect(response.headers.get('planspan-verdict')).toBe('complete')
    const times = { startTime: expect.any(String), endTime: expect.any(String) }
    expect(await response.json()).toMatchObject({
      completed: true,
      userRequest: 'Report on our competitors.',
      steps: ['Ask sales', 'Search the web', 'Write the report'],
      summary: 'Reported.',
      userInputWaitState: null,
      planspan: {
        reviews: [
          { attempt: 1, action: 'REQUEST_CHANGES', feedback: 'Ask sales first.' },
          { attempt: 2, action: 'ACCEPT_PLAN' },
        ],
        waits: [
          { reason: 'plan_review', title: 'Is this the plan?', resolution: 'refused', actor: 'user', ...times },
          { reason: 'plan_review', title: 'Is this the plan?', resolution: 'approved', actor: 'user', ...times },
        ],
      },
    })
    // A list waits until all acknowledged spans are indexed.
    await fetch(`${server.url}/api/records`)
    const reviews = `SELECT Attempt, Decision, Reviewer FROM ${database}.reviews ORDER BY Attempt FORMAT JSONCompactEachRow`
    expect(await execute(url, reviews)).toBe('["1", "REQUEST_CHANGES", "user"]\n["2", "ACCEPT_PLAN", "user"]\n')
  } finally {
    await server.close()
    await drop()
  }
})
