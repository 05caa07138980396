import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type RunningServer, startServer } from '../../src/server/index.js'
import type { RecordPage } from '../../src/wire/index.js'
import { execute, freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { playDistributedPlan } from '../support/distributed-plan.js'

let store: FreshDatabase
let server: RunningServer

beforeAll(async () => {
  store = await freshDatabase()
  server = await startServer({ clickhouse: store.url, database: store.database, port: 0 })
})
afterAll(async () => {
  await server.close()
  await store.drop()
})

describe('a plan over several processes', () => {
  test('is one plan in its record, the list and SQL, with the tokens of all', async () => {
    const planId = await playDistributedPlan([process.execPath, 'examples/distributed-worker.mjs'], server.url)
    const list = (await (await fetch(`${server.url}/api/records`)).json()) as RecordPage
    expect(list.records).toMatchObject([{ planId, state: 'completed', inputTokens: 9600, outputTokens: 340 }])
    const response = await fetch(`${server.url}/api/records/${planId}`)
    expect(response.headers.get('planspan-verdict')).toBe('complete')
    expect(await response.json()).toMatchObject({
      planspan: { usage: { inputTokens: 9600, outputTokens: 340 } },
      agentExecutionSequence: [
        {
          agentName: 'researcher',
          thinkActSteps: [
            { thinkOutput: 'I will ask the analyst.', actToolInfoList: [{ id: 'call-1', result: 'Cheap.' }] },
          ],
          subPlanExecutionRecords: [
            { toolCallId: 'call-1', agentExecutionSequence: [{ agentName: 'analyst', result: 'Cheap.' }] },
          ],
        },
      ],
    })
    const sql = `SELECT sum(ModelCalls), sum(InputTokens), sum(OutputTokens) FROM ${store.database}.plan_usage WHERE IsRoot`
    expect((await execute(store.url, sql)).trim()).toBe('2\t9600\t340')
  })

  test.each([
    ['js', 'examples/distributed-plan.mjs', 'examples/distributed-worker.mjs'],
    ['python', 'examples/python/distributed_worker.py'],
  ])('is documented with the code of the examples in %s', (language, ...examples) => {
    const page = readFileSync('docs/foreign-traces.md', 'utf8')
    const section = /## A plan over several services\n([^]*?)\n## /.exec(page)?.[1] ?? ''
    const blocks = [...section.matchAll(/```(\w+)\n([^]*?)```/g)].flatMap(([, of, code = '']) =>
      of === language ? [code] : [],
    )
    expect(blocks).toHaveLength(examples.length)
    for (const [at, example] of examples.entries()) {
      expect(readFileSync(example, 'utf8')).toContain(blocks[at])
    }
  })
})
