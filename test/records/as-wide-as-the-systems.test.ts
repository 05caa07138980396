import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import {
  agentExecutionRecordSchema,
  planExecutionRecordSchema,
  planRunRecordSchema,
  researcherCallSchema,
  reviewLogEntrySchema,
  thinkActRecordSchema,
  tokenUsageSchema,
  trajLineSchema,
} from '../../src/records/index.js'

const TOO_LARGE = 2 ** 60

const run = JSON.parse(
  readFileSync(new URL('../fixtures/review-log/plan_run_record.jsonl', import.meta.url), 'utf8'),
) as object

test.each([
  [planExecutionRecordSchema, { currentStepIndex: TOO_LARGE, statusCounts: { done: TOO_LARGE } }],
  [agentExecutionRecordSchema, { maxSteps: TOO_LARGE, startTime: [TOO_LARGE, 1, 1, 1, 1] }],
  [thinkActRecordSchema, { inputCharCount: TOO_LARGE }],
  [reviewLogEntrySchema, { attempt: TOO_LARGE, action: 'ABORT' }],
  [researcherCallSchema, { step_id: '', query: '', note_count: TOO_LARGE, applied_max_notes: TOO_LARGE }],
  [tokenUsageSchema, { total_tokens: TOO_LARGE }],
  [trajLineSchema, { step_num: TOO_LARGE, action_timestamp: '', action: 'DONE' }],
] as const)('a whole number beyond 2^53 is valid, as in the systems: %#', (schema, value) => {
  expect(schema.parse(value)).toEqual(value)
})

test.each([
  [reviewLogEntrySchema, { attempt: 1.5, action: 'ABORT' }, 'Invalid input: expected int, received number'],
  [reviewLogEntrySchema, { attempt: -TOO_LARGE, action: 'ABORT' }, 'Too small: expected number to be >=1'],
  [tokenUsageSchema, { total_tokens: '7' }, 'Invalid input: expected number, received string'],
] as const)('another value is rejected: %#', (schema, value, message) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(message)
})

// The results of pydantic 2.13 for my-deep-research's PlanRunRecord.
test.each([
  ['2025-10-28T10:00:00Z', true],
  ['2025-10-28 10:00:00', true],
  ['2025-10-28T10:00', true],
  ['2025-10-28', true],
  ['2025-10-28T10:00:00+0800', true],
  ['2025-10-28t10:00:00z', true],
  ['2025-10-28T10:00:00.123456789', true],
  ['2025-10-28T10:00:00+08', false],
  ['2025-10-28T10:00:00 Z', false],
  ['2025-02-30T10:00:00', false],
  ['yesterday', false],
])('a planner run of %s is valid: %s', (timestamp, isTaken) => {
  expect(planRunRecordSchema.safeParse({ ...run, timestamp }).success).toBe(isTaken)
})
