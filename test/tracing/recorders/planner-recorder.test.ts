import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeRecord } from '../../../src/mapping/index.js'
import { planVersions } from '../../../src/mapping/plan/plan-versions.js'
import { buildForest, foldSpans } from '../../../src/mapping/tree/index.js'
import type { PlanRunRecord } from '../../../src/records/index.js'
import {
  createPlannerRecorder,
  dropCounts,
  type PlannerPlan,
  type PlannerRecorder,
  type PlannerReview,
  type PlannerTelemetry,
} from '../../../src/tracing/index.js'
import { plannerRuns } from '../../support/review-log-records.js'
import { storedSpan } from '../../support/stored-spans.js'
import { installSdk, type InMemorySdk } from '../in-memory-sdk.js'

let sdk: InMemorySdk
let dropped: number
beforeEach(() => {
  sdk = installSdk()
  dropped = dropCounts().event
})
afterEach(() => sdk.uninstall())

const drops = () => dropCounts().event - dropped
const decode = ({ planId }: PlannerRecorder) =>
  decodeRecord(sdk.spans().map(storedSpan), { planId, format: 'review-log' })!
const read = (recorder: PlannerRecorder) => JSON.parse(decode(recorder).text) as PlanRunRecord

type Told = PlanRunRecord & {
  readonly plan: PlannerPlan
  readonly review_log: readonly PlannerReview[]
  readonly telemetry: PlannerTelemetry | null
}

test('a run is the record that the planner writes: plan, reviews and telemetry, with every value', () => {
  const runs = fc.oneof(plannerRuns[4], plannerRuns['without telemetry']).map((line) => JSON.parse(line) as Told)
  fc.assert(
    fc.property(runs, (told) => {
      const { question, locale, context, plan, review_log: reviews, telemetry } = told
      const recorder = createPlannerRecorder({ question, locale, context })
      recorder.plan(plan)
      for (const review of reviews) recorder.review(review)
      recorder.telemetry(telemetry)
      recorder.end(plan)
      expect(read(recorder)).toEqual({
        ...told,
        timestamp: expect.stringMatching(/Z$/),
        planspan: expect.any(Object),
      })
    }),
    { numRuns: 100 },
  )
})

const step = (id: number, status = 'PENDING') => ({
  id: `step-${id}`,
  title: `Step ${id}`,
  step_type: 'RESEARCH',
  expected_outcome: 'a list',
  status,
  notes: [],
  references: [],
  execution_result: null,
})
const plan = (goal: string, ...steps: object[]) =>
  ({
    topic: 'Agents',
    goal,
    steps,
    assumptions: ['there are credentials'],
    risks: ['they expire'],
    metadata: { locale: 'en', reviewer: 'guest', budget_tokens: 8000, budget_cost_usd: 2.5 },
  }) as unknown as PlannerPlan
const search = (step_id: string) => ({ step_id, query: `q ${step_id}`, note_count: 2, duration_seconds: 0.001 })

describe('a run with five versions and three reviews', () => {
  const run = () => {
    const recorder = createPlannerRecorder({ question: 'Which?', planId: 'plan-7' })
    recorder.plan(plan('one', step(1)))
    recorder.plan(plan('two', step(1), step(2)), { reason: 'too short' })
    recorder.review({ attempt: 1, action: 'REQUEST_CHANGES', feedback: 'Cost?' })
    recorder.plan(plan('three', step(1), step(2), step(3)), { reason: 'Cost?', context: 'Reviewer feedback: Cost?' })
    recorder.review({ attempt: 2, action: 'REQUEST_CHANGES', feedback: 'Less.' })
    recorder.plan(plan('four', step(1)))
    recorder.plan(plan('five', step(1), step(4)), { reason: 'more again' })
    recorder.review({ attempt: 3, action: 'ACCEPT_PLAN' })
    recorder.search(search('step-1'))
    recorder.search(search('step-4'))
    return recorder
  }

  test('keeps each version with its goal, steps and reason', () => {
    run().end()
    const [root] = buildForest(foldSpans(sdk.spans().map(storedSpan)))
    const versions = planVersions(root!)
    expect(versions.map(({ revision, reason, steps }) => [revision, reason, steps?.map(({ id }) => id)])).toEqual([
      [1, undefined, ['step-1']],
      [2, 'too short', ['step-1', 'step-2']],
      [3, 'Cost?', ['step-1', 'step-2', 'step-3']],
      [4, undefined, ['step-1']],
      [5, 'more again', ['step-1', 'step-4']],
    ])
    const goals = sdk.spans().filter(({ name }) => name === 'plan planner')
    expect(goals.map(({ attributes }) => attributes['planspan.plan.goal'])).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ])
    expect(drops()).toBe(0)
  })

  test('has its reviews, its context, and metrics of the searches that were recorded one by one', () => {
    const recorder = run()
    recorder.end(plan('five', step(1, 'COMPLETED'), step(4, 'COMPLETED')))
    expect(decode(recorder)).toMatchObject({ verdict: 'complete', state: 'completed', missing: [] })
    expect(read(recorder)).toMatchObject({
      question: 'Which?',
      context: 'Reviewer feedback: Cost?',
      plan: { goal: 'five', steps: [{ status: 'COMPLETED' }, { id: 'step-4' }] },
      review_log: [
        { attempt: 1, action: 'REQUEST_CHANGES', feedback: 'Cost?' },
        { attempt: 2, action: 'REQUEST_CHANGES', feedback: 'Less.' },
        { attempt: 3, action: 'ACCEPT_PLAN', feedback: '' },
      ],
      telemetry: {
        researcher: {
          total_calls: 2,
          total_notes: 4,
          total_duration_seconds: 0.002,
          calls: [search('step-1'), search('step-4')],
        },
      },
    })
  })

  test.each([
    ['a blocked step', (r: PlannerRecorder) => r.end(plan('five', step(1, 'BLOCKED'))), 'failed'],
    ['an error', (r: PlannerRecorder) => r.fail(new Error('no model')), 'failed'],
  ])('fails with %s', (_what, end, state) => {
    const recorder = run()
    end(recorder)
    expect(decode(recorder)).toMatchObject({ state, verdict: 'complete' })
  })
})

test('a rejected plan is cancelled', () => {
  const recorder = createPlannerRecorder({ question: 'Which?' })
  recorder.plan(plan('one', step(1)))
  recorder.review({ action: 'ABORT', feedback: 'never mind' })
  recorder.end()
  expect(decode(recorder).state).toBe('cancelled')
})

test('no value makes the recorder throw', () => {
  fc.assert(
    fc.property(fc.array(fc.anything(), { maxLength: 6 }), (values) => {
      const recorder = createPlannerRecorder(values[0] as never) as unknown as Record<string, (value: unknown) => void>
      for (const value of values) {
        for (const method of ['plan', 'review', 'search', 'telemetry']) recorder[method]!(value)
      }
      recorder['end']!(values[0])
      recorder['fail']!(values[0])
      expect(sdk.spans().at(-1)?.name).toBe('invoke_workflow')
    }),
    { numRuns: 50 },
  )
})
