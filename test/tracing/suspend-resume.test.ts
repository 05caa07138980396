import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dropCounts, plan, resume, startPlan, startResume } from '../../src/tracing/index.js'
import type { ReviewAction } from '../../src/semconv/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

let sdk: InMemorySdk

beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

const named = (name: string) => sdk.spans().filter((span) => span.name === name)
const idOf = (name: string, at = 0) => named(name)[at]?.spanContext().spanId
const states = () => Object.fromEntries(sdk.spans().map(({ name, attributes }) => [name, attributes['planspan.state']]))

describe('a wait', () => {
  test.each([
    ['submitted', 'completed'],
    ['approved', 'completed'],
    ['refused', 'cancelled'],
    ['expired', 'cancelled'],
    ['cancelled', 'cancelled'],
  ] as const)('that is %s is %s, no error, and ends nothing else', async (resolution, state) => {
    await plan({ workflow: 'w' }, async (p) => {
      await p.wait({ reason: 'form_input', title: 'Dates', formInputs: [{ label: 'from' }] }, async (w) => {
        w.answer({ resolution, actor: 'user-1', formInputs: [{ label: 'from', value: 'May' }] })
      })
      expect(sdk.spans()).toHaveLength(1)
    })
    expect(sdk.span('wait_for_user')).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'planspan.state': state,
        'planspan.wait.id': expect.stringMatching(/^wait-/),
        'planspan.wait.waiting': false,
        'planspan.wait.resolution': resolution,
        'planspan.wait.form_inputs': '[{"label":"from"}]',
        'planspan.wait.form_answers': '[{"label":"from","value":"May"}]',
      },
    })
    expect(sdk.span('invoke_workflow w').attributes).toMatchObject({ 'planspan.state': 'completed' })
  })

  test('in a sub-plan makes the parent plan wait', () => {
    const p = startPlan({ workflow: 'outer' })
    const tool = p.startAgent({ name: 'a' }).startCycle().startTool({ name: 't' })
    startPlan({ workflow: 'inner' }, tool.context).startWait({}).suspend()
    expect(sdk.span('invoke_workflow outer').attributes).toMatchObject({
      'planspan.state': 'waiting',
      'planspan.wait.waiting': true,
    })
  })
})

describe('suspend()', () => {
  test('ends the wait and its ancestors as waiting, which is neither an error nor the end of the plan', async () => {
    let token = ''
    await plan({ workflow: 'w', planId: 'p-1' }, async (p) => {
      await p.agent({ name: 'a', step: 0 }, async (a) => {
        await a.cycle(async (c) => {
          await c.tool({ name: 't' }, async (t) => {
            await t.wait({ reason: 'tool_approval' }, async (w) => {
              token = w.suspend()
            })
            return 'what a callback returns that was left'
          })
        })
        a.result('so is this')
      })
      p.summary('and this')
    })
    expect(token).toMatch(/^pt1\./)
    expect(states()).toEqual({
      wait_for_user: 'waiting',
      'execute_tool t': 'waiting',
      'agent_step a': 'waiting',
      'invoke_agent a': 'waiting',
      'invoke_workflow w': 'waiting',
    })
    for (const { status } of sdk.spans()) expect(status.code).toBe(SpanStatusCode.UNSET)
    expect(sdk.span('invoke_workflow w').attributes).toMatchObject({
      'planspan.plan.completed': false,
      'planspan.wait.waiting': true,
      'planspan.children.agent': 1,
    })
    expect(sdk.span('invoke_workflow w').attributes).not.toHaveProperty('planspan.plan.summary')
    expect(sdk.span('invoke_agent a').attributes).toMatchObject({ 'planspan.agent.completed': false })
    expect(sdk.span('execute_tool t').attributes).not.toHaveProperty('gen_ai.tool.call.result')
    expect(sdk.span('wait_for_user').attributes).toMatchObject({ 'planspan.wait.waiting': true })
    expect(sdk.span('wait_for_user').attributes).not.toHaveProperty('planspan.wait.resolution')
  })

  test('lets callbacks return in any way, and counts no mistake', async () => {
    const before = dropCounts()
    const left = plan({ workflow: 'w' }, async (p) =>
      p.agent({ name: 'a' }, async (a) =>
        a.wait({}, async (w) => {
          w.suspend()
          w.suspend()
          w.answer({ resolution: 'approved' })
          w.cancel()
          a.error(new Error('late'))
          throw new Error('out')
        }),
      ),
    )
    await expect(left).rejects.toThrow('out')
    expect(new Set(Object.values(states()))).toEqual(new Set(['waiting']))
    for (const { status, events } of sdk.spans()) expect([status.code, events]).toEqual([SpanStatusCode.UNSET, []])
    expect(dropCounts()).toEqual(before)
  })
})

describe('resume()', () => {
  test('starts the next segment of the plan in the same trace, linked to the previous one', async () => {
    const p = startPlan({ workflow: 'w', planId: 'p-1', conversationId: 'c-1' })
    const token = p.startWait({ reason: 'form_input' }).suspend()
    expect(await resume(token, async (r) => [r.planId, r.rootPlanId])).toEqual(['p-1', 'p-1'])
    const [first, second] = named('invoke_workflow w')
    expect(second?.spanContext().traceId).toBe(first?.spanContext().traceId)
    expect(second?.parentSpanContext).toMatchObject({ spanId: first?.spanContext().spanId, isRemote: true })
    expect(second?.links).toMatchObject([
      { context: { spanId: idOf('invoke_workflow w') }, attributes: { 'planspan.link.type': 'resumed_from' } },
    ])
    expect(first?.attributes).not.toHaveProperty('planspan.plan.segment')
    expect(second?.attributes).toMatchObject({
      'planspan.plan.id': 'p-1',
      'planspan.plan.root_id': 'p-1',
      'planspan.plan.segment': 1,
      'gen_ai.conversation.id': 'c-1',
      'planspan.state': 'completed',
      'planspan.plan.completed': true,
    })
    expect(second?.attributes).not.toHaveProperty('planspan.seq')
  })

  test('records the wait as one span over the whole time', () => {
    const wait = startPlan({ workflow: 'w' }).startWait({ reason: 'form_input', title: 'Dates' })
    const token = wait.suspend()
    startResume(token, { answer: { resolution: 'submitted', actor: 'user-1', formInputs: [{ value: 'May' }] } }).end()
    const [open, answered] = named('wait_for_user')
    expect(answered?.startTime).toEqual(open?.startTime)
    expect(answered?.attributes).toMatchObject({
      'planspan.wait.id': open?.attributes['planspan.wait.id'],
      'planspan.wait.reason': 'form_input',
      'planspan.wait.waiting': false,
      'planspan.wait.resolution': 'submitted',
      'planspan.wait.actor': 'user-1',
      'planspan.wait.form_answers': '[{"value":"May"}]',
    })
    expect(answered?.links).toMatchObject([
      { context: { spanId: open?.spanContext().spanId }, attributes: { 'planspan.link.type': 'resumed_from' } },
    ])
    expect(answered?.parentSpanContext?.spanId).toBe(idOf('invoke_workflow w', 1))
    expect(named('invoke_workflow w')[1]?.attributes).toMatchObject({ 'planspan.wait.waiting': false })
  })

  test('continues to count segments, revisions and reviews', () => {
    const review = (action: ReviewAction) => ({ review: { action } })
    const first = startPlan({ workflow: 'w', steps: ['one'] })
    const again = startResume(first.startWait({ reason: 'plan_review' }).suspend(), review('REQUEST_CHANGES'))
    again.update({ steps: ['one', 'two'] })
    const last = startResume(again.startWait({ reason: 'plan_review' }).suspend(), review('ACCEPT_PLAN'))
    last.end()
    const plans = named('invoke_workflow w').map(({ attributes }) => [
      attributes['planspan.plan.segment'],
      attributes['planspan.plan.revision'],
      attributes['planspan.review.count'],
      attributes['planspan.review.log'],
    ])
    expect(plans).toEqual([
      [undefined, 1, undefined, undefined],
      [1, 2, 1, '[{"attempt":1,"action":"REQUEST_CHANGES"}]'],
      [2, undefined, 2, '[{"attempt":2,"action":"ACCEPT_PLAN"}]'],
    ])
    expect(named('wait_for_user').map(({ attributes }) => attributes['planspan.review.attempt'])).toEqual([
      undefined,
      1,
      undefined,
      2,
    ])
  })

  test('after an ABORT returns a cancelled plan', () => {
    const token = startPlan({ workflow: 'w' }).startWait({ reason: 'plan_review' }).suspend()
    startResume(token, { review: { action: 'ABORT', feedback: 'no' } }).end()
    const [, second] = named('invoke_workflow w')
    expect(second?.attributes).toMatchObject({ 'planspan.state': 'cancelled' })
    expect(second?.status.code).toBe(SpanStatusCode.UNSET)
  })

  test('continues a step under its id by default', () => {
    const p = startPlan({ workflow: 'w', planId: 'p-1' })
    const first = p.startAgent({ name: 'a', step: 3 })
    const twin = p.startAgent({ name: 'b', step: 3 })
    const token = first.startWait({}).suspend()
    const again = startResume(token).startAgent({ name: 'a', step: 3 })
    expect([first.stepId, twin.stepId]).toEqual(['p-1-step-3', 'p-1-step-3-2'])
    expect(again.stepId).toBe(first.stepId)
  })

  test('continues after a crash with a token from the start', () => {
    const crashed = startPlan({ workflow: 'w', planId: 'p-1' })
    const token = crashed.token
    crashed.startAgent({ name: 'a' }).startCycle().startTool({ name: 't' })
    startResume(token).end()
    expect(sdk.span('invoke_workflow w').attributes).toMatchObject({ 'planspan.plan.segment': 1 })
    expect(named('wait_for_user')).toEqual([])
  })

  test('with a token from a wait ends that wait', () => {
    const p = startPlan({ workflow: 'w' })
    p.startWait({ reason: 'form_input' }).end()
    const wait = p.startAgent({ name: 'a' }).startWait({ reason: 'tool_approval' })
    const { token } = p
    startResume(token, { answer: { resolution: 'approved' } }).end()
    wait.end()
    expect(named('wait_for_user').map(({ attributes }) => attributes['planspan.wait.reason'])).toEqual([
      'form_input',
      'tool_approval',
      'tool_approval',
    ])
    expect(startResume(p.token).end()).toBeUndefined()
  })

  test('continues the outermost plan with the token of a sub-plan’s wait', () => {
    const outer = startPlan({ workflow: 'outer', planId: 'p-1' })
    const tool = outer.startAgent({ name: 'a' }).startCycle().startTool({ name: 't' })
    const inner = startPlan({ workflow: 'inner', planId: 'p-2' }, tool.context)
    expect(inner.token).toBe(outer.token)
    const token = inner.startWait({}).suspend()
    expect(new Set(Object.values(states()))).toEqual(new Set(['waiting']))
    const again = startResume(token)
    expect(again.planId).toBe('p-1')
    again.end()
  })

  test('within another plan does not create a sub-plan', () => {
    const token = startPlan({ workflow: 'w', planId: 'p-1' }).startWait({}).suspend()
    plan({ workflow: 'other', planId: 'p-2' }, (p) =>
      p.agent({ name: 'a' }, (a) => a.cycle((c) => c.tool({ name: 't' }, () => resume(token, () => undefined)))),
    )
    const again = named('invoke_workflow w')[1]
    expect(again?.attributes).toMatchObject({ 'planspan.plan.root_id': 'p-1' })
    expect(again?.attributes).not.toHaveProperty('planspan.plan.parent_id')
    expect(again?.spanContext().traceId).not.toBe(sdk.span('invoke_workflow other').spanContext().traceId)
  })

  test('starts a new plan if the token is unreadable, and logs it', async () => {
    const before = dropCounts().token
    for (const bad of ['', 'pt1.abc.def', undefined, 7])
      expect(resume(bad as string, (p) => p.planId)).toMatch(/^plan-/)
    expect(dropCounts().token).toBe(before + 4)
    expect(new Set(sdk.spans().map((span) => span.spanContext().traceId)).size).toBe(4)
    expect(sdk.spans()[0]?.attributes).not.toHaveProperty('planspan.plan.segment')
  })
})

test('works without an SDK', () => {
  trace.disable()
  context.disable()
  const p = startPlan({ workflow: 'w', planId: 'p-1' })
  const token = p.startWait({ reason: 'form_input' }).suspend()
  sdk.uninstall()
  sdk = installSdk()
  startResume(token, { answer: { resolution: 'submitted' } }).end()
  expect(sdk.span('invoke_workflow w').attributes).toMatchObject({
    'planspan.plan.id': 'p-1',
    'planspan.plan.segment': 1,
  })
  expect(sdk.span('invoke_workflow w').parentSpanContext).toBeUndefined()
  expect(sdk.span('wait_for_user').links).toEqual([])
})
