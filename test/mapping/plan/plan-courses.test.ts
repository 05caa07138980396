import { describe, expect, test } from 'vitest'

import { planCourses } from '../../../src/mapping/index.js'
import { ATTR, EVENTS } from '../../../src/semconv/index.js'
import { finalRow } from '../../support/live-rows.js'
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

describe('an agent of a revised plan', () => {
  const revised = (later: readonly string[]) => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('first', 'planning', 'plan')
    life.end('first', { [ATTR.planSteps]: ['Look', 'Book', 'Pay'] })
    for (const [step, state] of ['completed', 'failed'].entries()) {
      life.start('agent', 'agent', 'plan', { [ATTR.stepIndex]: step, [ATTR.agentName]: `for ${String(step)}` })
      life.end('agent', { [ATTR.state]: state })
    }
    life.start('second', 'planning', 'plan')
    life.end('second', { [ATTR.planSteps]: [...later] })
    life.start('agent', 'agent', 'plan', { [ATTR.stepIndex]: 1, [ATTR.agentName]: 'later' })
    life.end('agent', { [ATTR.state]: 'completed' })
    const { steps, others } = courseOf(life)
    const namesOf = (agents: typeof others) => agents.map(({ span }) => span.attributes[ATTR.agentName])
    return { steps: steps.map(({ title, agents }) => [title, namesOf(agents)]), others: namesOf(others) }
  }

  test.each([
    {
      name: 'of a dropped step is no attempt at the step in its place',
      later: ['Look', 'Ask'],
      steps: [
        ['Look', ['for 0']],
        ['Ask', ['later']],
      ],
      others: ['for 1'],
    },
    {
      name: 'moves with its step',
      later: ['Book', 'Look', 'Pay'],
      steps: [
        ['Book', ['for 1']],
        ['Look', ['for 0', 'later']],
        ['Pay', []],
      ],
      others: [],
    },
    {
      name: 'stays with a step that is worded differently',
      later: ['Look', 'Book it'],
      steps: [
        ['Look', ['for 0']],
        ['Book it', ['for 1', 'later']],
      ],
      others: [],
    },
  ])('$name', ({ later, steps, others }) => {
    expect(revised(later)).toEqual({ steps, others })
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

  test('begin with the steps that the plan was started with', () => {
    const created = {
      name: EVENTS.planCreated,
      time: 1,
      attributes: { [ATTR.planSteps]: '["Look"]', [ATTR.planRevision]: '1' },
    }
    const revised = { [ATTR.planSteps]: '["Look","Book"]', [ATTR.planRevision]: '2' }
    const [course] = planCourses([
      finalRow({ id: 'plan', role: 'plan', end: 9, events: [created], attributes: revised }),
      finalRow({ id: 'planning', role: 'planning', parent: 'plan', start: 5, attributes: revised }),
    ])
    expect(course!.versions.map(({ revision, steps }) => [revision, steps?.length])).toEqual([
      [1, 1],
      [2, 2],
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
