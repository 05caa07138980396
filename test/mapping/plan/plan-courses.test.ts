import { describe, expect, test } from 'vitest'

import { planCourses } from '../../../src/mapping/index.js'
import { ATTR, EVENTS } from '../../../src/semconv/index.js'
import { PlanLife, wholeLife } from '../../support/plan-life.js'

const IDS = { traceId: 'a'.repeat(32), planId: 'plan-1' }

/** The only plan of a life so far. */
const courseOf = (life: PlanLife) => planCourses(life.stored)[0]!
const stepsOf = (life: PlanLife) =>
  courseOf(life).steps.map(({ index, title, state, agents }) => [index, title, state, agents.length])

describe('the steps of a plan', () => {
  test('are those of its last planning, each with its agents', () => {
    expect(stepsOf(wholeLife(IDS))).toEqual([
      [0, 'Look', 'completed', 1],
      [1, 'Book', 'completed', 1],
    ])
  })

  test('have the state of their last agent; steps without an agent have not begun', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan', undefined, { [ATTR.planSteps]: ['Look', 'Book', 'Pay'] })
    life.start('first', 'agent', 'plan', { [ATTR.stepIndex]: 0 })
    life.end('first', { [ATTR.state]: 'failed' }, 'ERROR')
    life.start('again', 'agent', 'plan', { [ATTR.stepIndex]: 0 })
    life.end('again', { [ATTR.state]: 'completed' })
    life.start('second', 'agent', 'plan', { [ATTR.stepIndex]: 1 })
    expect(stepsOf(life)).toEqual([
      [0, 'Look', 'completed', 2],
      [1, 'Book', 'running', 1],
      [2, 'Pay', undefined, 0],
    ])
  })

  test('are known from agents if there is no list; agents without a step are separate', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('agent', 'agent', 'plan', { [ATTR.stepIndex]: 2, [ATTR.stepDescription]: 'Pay' })
    life.start('helper', 'agent', 'agent')
    life.start('other', 'agent', 'plan', { [ATTR.agentName]: 'watcher' })
    const { others } = courseOf(life)
    expect(stepsOf(life)).toEqual([[2, 'Pay', 'running', 1]])
    expect(others.map(({ span }) => span.attributes[ATTR.agentName])).toEqual(['watcher'])
  })
})

describe('the versions of a plan', () => {
  test('are its plannings with their changes and reasons; an open planning has no steps yet', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('first', 'planning', 'plan', { [ATTR.agentName]: 'planner' })
    life.end('first', { [ATTR.planSteps]: ['Look', 'Book'] })
    life.start('second', 'planning', 'plan', { [ATTR.planUpdateReason]: 'Too dear' })
    life.end('second', { [ATTR.planSteps]: ['Look', 'Compare', 'Book'] })
    life.start('third', 'planning', 'plan')
    expect(
      courseOf(life).versions.map(({ planner, reason, steps, changes }) => [
        planner,
        reason,
        steps?.length,
        changes.map(({ kind, title }) => `${kind} ${title}`),
      ]),
    ).toEqual([
      ['planner', undefined, 2, []],
      [undefined, 'Too dear', 3, ['added Compare']],
      [undefined, undefined, undefined, []],
    ])
  })

  test('of a trajectory are the cycles in which the plan changed, or needed to', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    for (const [name, text, needed] of [
      ['a', 'Open it', false],
      ['b', 'Open it', true],
      ['c', 'Close it', false],
      ['d', 'Close it', false],
    ] as const) {
      life.start(name, 'think_act', 'plan', {
        [ATTR.planText]: text,
        ...(needed && { [ATTR.planUpdateNeeded]: true, [ATTR.planUpdateReason]: 'A policy says no' }),
      })
      life.end(name)
    }
    expect(courseOf(life).versions.map(({ text, reason }) => [text, reason])).toEqual([
      ['Open it', undefined],
      ['Open it', 'A policy says no'],
      ['Close it', undefined],
    ])
  })
})

describe('reviews', () => {
  test('have the reviewer, the time and their wait, from a list, from events or from both', () => {
    const life = new PlanLife(IDS)
    const log = [{ attempt: 1, action: 'REQUEST_CHANGES', feedback: 'cheaper' }]
    life.start('plan', 'plan', undefined, { [ATTR.reviewLog]: JSON.stringify(log) })
    life.start('wait', 'wait', 'plan', { [ATTR.reviewAttempt]: 1 })
    life.end('wait')
    const event = {
      timeUnixNano: 7n,
      name: EVENTS.review,
      attributes: { [ATTR.reviewAttempt]: '1', [ATTR.reviewAction]: 'REQUEST_CHANGES', [ATTR.waitActor]: 'Ada' },
    }
    const [course] = planCourses(
      life.stored.map((row) => (row.attributes[ATTR.spanKind] === 'plan' ? { ...row, events: [event] } : row)),
    )
    expect(course?.reviews).toEqual([
      {
        attempt: 1,
        action: 'REQUEST_CHANGES',
        feedback: 'cheaper',
        reviewer: 'Ada',
        time: 7n,
        wait: course?.waits[0],
      },
    ])
  })
})
