import { expect, test } from 'vitest'

import { decodeRecord } from '../../../src/mapping/index.js'
import { ATTR, EVENTS, type StoredSpan } from '../../../src/semconv/index.js'
import { PlanLife } from '../../support/plan-life.js'

type Errors = Pick<StoredSpan, 'events' | 'statusMessage'>

const raised = (time: bigint, type: string, message?: string) => ({
  name: EVENTS.exception,
  timeUnixNano: time,
  attributes: { [ATTR.exceptionType]: type, ...(message !== undefined && { [ATTR.exceptionMessage]: message }) },
})

const NOON = BigInt(Date.UTC(2026, 2, 4, 12)) * 1_000_000n
const SECOND = 1_000_000_000n

/** A cycle with a model call, an action and a search below the action. The named spans failed. */
function lifeWith(errors: Readonly<Record<string, Errors>>): StoredSpan[] {
  const life = new PlanLife({ traceId: 'a'.repeat(32), planId: 'plan-1' })
  life.start('plan', 'plan')
  life.start('agent', 'agent', 'plan')
  life.start('cycle', 'think_act', 'agent')
  life.start('model', 'llm', 'cycle')
  life.start('pay', 'tool', 'cycle', { [ATTR.toolName]: 'pay' })
  life.start('search', 'agent', 'pay')
  const ended = ['search', 'pay', 'model', 'cycle', 'agent', 'plan'].map((name) => {
    const type = errors[name] && { [ATTR.errorType]: 'RuntimeError' }
    return [life.end(name, type ?? {}, errors[name] ? 'ERROR' : 'UNSET').spanId, errors[name]] as const
  })
  const failed = new Map(ended)
  return life.stored.map((row) => ({
    ...row,
    ...(row.attributes[ATTR.spanState] === undefined && failed.get(row.spanId)),
  }))
}

const stepOf = (stored: StoredSpan[]): Record<string, unknown> =>
  (JSON.parse(decodeRecord(stored, { format: 'trajectory' })!.text) as { steps: Record<string, unknown>[] }).steps[0]!

test('a step has all of its errors, with their times', () => {
  const events = [
    raised(NOON + SECOND, 'TimeoutError', 'slow'),
    raised(NOON + 2n * SECOND, 'TimeoutError', 'slow'),
    raised(NOON + 3n * SECOND, 'OSError'),
  ]
  const { errors } = stepOf(lifeWith({ cycle: { events, statusMessage: 'no disk' } }))
  expect(errors).toEqual([
    { type: 'TimeoutError', message: 'slow', timestamp: '20260304@120001' },
    { type: 'TimeoutError', message: 'slow', timestamp: '20260304@120002' },
    { type: 'OSError', message: 'no disk', timestamp: '20260304@120003' },
  ])
})

test('no error is added for one that has only a class and the time of another one', () => {
  const events = [raised(NOON, 'TimeoutError', 'slow'), raised(NOON, 'OSError', '')]
  const { errors } = stepOf(lifeWith({ cycle: { events, statusMessage: '' } }))
  expect(errors).toMatchObject([
    { type: 'TimeoutError', message: 'slow' },
    { type: 'OSError', message: '' },
  ])
})

test('a step has the errors of its model, and of spans below its actions with the action', () => {
  const failed = (statusMessage: string): Errors => ({ events: [], statusMessage })
  const { errors, action_results } = stepOf(
    lifeWith({ model: failed('overloaded'), pay: failed('no card'), search: failed('offline') }),
  )
  expect(errors).toEqual([
    { type: 'RuntimeError', message: 'offline', timestamp: '20260304@120000', action: { action_type: 'pay' } },
    { type: 'RuntimeError', message: 'overloaded', timestamp: '20260304@120000' },
  ])
  expect(action_results).toMatchObject([{ error: { type: 'RuntimeError', message: 'no card' }, info: { error: true } }])
})
