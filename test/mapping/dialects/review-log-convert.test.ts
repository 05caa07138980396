import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type DialectName } from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { planExecutionRecordSchema, planRunRecordSchema, type PlanRunRecord } from '../../../src/records/index.js'
import { plan } from '../../../src/tracing/index.js'
import { storedSpan } from '../../support/stored-spans.js'
import { installSdk, type InMemorySdk } from '../../tracing/in-memory-sdk.js'

const fixture = (path: string): Uint8Array => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url))
const rowsOf = (bytes: Uint8Array): StoredSpan[] => [...encodeRecords(bytes)][0]!.spans.map(toStoredSpan)
const convert = (rows: StoredSpan[], format: DialectName): string => decodeRecord(rows, { format })!.text

/** Checks that a text is a canonical planner run, and reads it. */
function plannerRun(text: string): PlanRunRecord {
  const [record] = encodeRecords(new TextEncoder().encode(text))
  expect(record).toMatchObject({ dialect: 'review-log', era: 'planspan' })
  expect(record!.spans.filter(({ attributes }) => ATTR.residual in attributes)).toEqual([])
  return planRunRecordSchema.parse(JSON.parse(text))
}

describe('a live plan as a planner run', () => {
  let sdk: InMemorySdk
  beforeEach(() => {
    sdk = installSdk()
  })
  afterEach(() => sdk.uninstall())

  test('has its request, its steps with their states, and its reviews', async () => {
    await plan({ planId: 'plan-rome', title: 'To Rome', request: 'Book Rome' }, async (p) => {
      await p.planning({ planner: 'planner' }, async (s) => s.steps(['look', 'book', 'pay']))
      p.review({ action: 'ACCEPT_PLAN', feedback: 'go' })
      await p.agent({ name: 'researcher', step: 0, stepId: 'step-a' }, async (a) => a.result('looked'))
      await p
        .agent({ name: 'booker', step: 1, stepId: 'step-b' }, async () => {
          throw new TypeError('sold out')
        })
        .catch(() => {})
    })
    const record = plannerRun(convert(sdk.spans().map(storedSpan), 'review-log'))
    expect(record).toMatchObject({ question: 'Book Rome', context: '', telemetry: null })
    expect(record.plan).toMatchObject({ topic: 'To Rome', assumptions: [], metadata: { reviewer: null } })
    expect(
      record.plan.steps.map(({ id, title, status, execution_result }) => [id, title, status, execution_result]),
    ).toEqual([
      ['step-a', 'look', 'COMPLETED', 'looked'],
      ['step-b', 'book', 'BLOCKED', 'sold out'],
      ['plan-rome-step-2', 'pay', 'PENDING', null],
    ])
    expect(record.review_log).toEqual([{ attempt: 1, action: 'ACCEPT_PLAN', feedback: 'go' }])
  })
})

describe('a record of another dialect as a planner run', () => {
  test.each(['doc-example-2025-03-28.json', 'details-waiting-input.json', 'agent-execution-detail.json'])(
    '%s is canonical',
    (file) => {
      const record = plannerRun(convert(rowsOf(fixture(`lynxe/${file}`)), 'review-log'))
      expect(record.plan.steps.length).toBeGreaterThan(0)
    },
  )
})

describe('a planner run as a plan-execution record', () => {
  const text = convert(rowsOf(fixture('review-log/plan_run_record.jsonl')), 'plan-execution')
  const record = planExecutionRecordSchema.parse(JSON.parse(text))

  test('has its question, topic, steps and reviews', () => {
    expect(record).toMatchObject({
      title: 'LangGraph 深度调研代理最佳实践',
      userRequest: 'LangGraph 深度调研代理的最佳实践有哪些？',
      steps: ['梳理官方文档', '整理社区范例', '形成最佳实践摘要'],
      completed: true,
      planspan: { reviews: [{ action: 'REQUEST_CHANGES' }, { action: 'ACCEPT_PLAN' }] },
    })
  })

  test('has its researcher with a cycle for each search', () => {
    const [researcher, ...others] = record.agentExecutionSequence ?? []
    expect(others).toEqual([])
    expect(researcher).toMatchObject({ agentName: 'researcher', status: 'FINISHED', currentStep: 2 })
    expect(researcher?.thinkActSteps?.map(({ actToolInfoList, toolName }) => [toolName, actToolInfoList])).toEqual(
      ['梳理官方文档', '整理社区范例'].map((title) => [
        'search',
        [
          {
            name: 'search',
            parameters: `{"query":"LangGraph 深度调研代理最佳实践 | ${title} | zh-CN"}`,
            result: null,
            id: null,
          },
        ],
      ]),
    )
  })
})

describe('another document', () => {
  test.each([
    '{"planId":"p","userRequest":"r","plan":{}}',
    '{"currentPlanId":"p","rootPlanId":"p","question":"q","plan":{},"locale":"en"}',
  ])('%s is of another dialect', (text) => {
    expect([...encodeRecords(new TextEncoder().encode(text))][0]?.dialect).toBe('plan-execution')
  })

  test.each(['{"question":"q","plan":"p","locale":"en"}', '{"plan":{},"locale":"en"}', '{"question":"q","plan":{}}'])(
    '%s is of no dialect',
    (text) => {
      expect(() => [...encodeRecords(new TextEncoder().encode(text))]).toThrow('No known record format')
    },
  )
})
