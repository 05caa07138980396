import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agentExecutionRecordSchema, planExecutionRecordSchema } from '../../src/records/index.js'
import { firstPlan, lynxePlan } from '../support/plan-execution-records.js'

const fixtures = new URL('../fixtures/lynxe/', import.meta.url)

describe('the schemas of plan-execution records', () => {
  test.each(readdirSync(fixtures).filter((file) => file.endsWith('.json')))('accept %s', (file) => {
    const record: unknown = JSON.parse(readFileSync(new URL(file, fixtures), 'utf8'))
    const schema = file.startsWith('agent') ? agentExecutionRecordSchema : planExecutionRecordSchema
    expect(schema.parse(record)).toEqual(record)
  })

  test('accept any canonical record and change nothing', () => {
    fc.assert(
      fc.property(fc.oneof(lynxePlan, firstPlan), (record) => {
        expect(planExecutionRecordSchema.parse(record)).toEqual(record)
      }),
      { numRuns: 50 },
    )
  })

  test('report where a value has the wrong type', () => {
    const record = { planId: 'p', agentExecutionSequence: [{ maxSteps: '3' }] }
    expect(planExecutionRecordSchema.safeParse(record).error?.issues).toMatchObject([
      { path: ['agentExecutionSequence', 0, 'maxSteps'] },
    ])
  })
})
