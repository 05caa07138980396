import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { ATTR } from '../../../src/semconv/index.js'
import { livePlan } from '../live-plan.js'
import { startTestApp, unreachableApp, type TestApp } from '../test-app.js'

const fixture = (name: string) => readFileSync(new URL(`../../fixtures/lynxe/${name}`, import.meta.url))
const details = fixture('details-waiting-input.json')
const agent = fixture('agent-execution-detail.json')
const DETAILS = '/api/executor/details'
const AGENT = '/api/executor/agent-execution'

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
  await server.importRecords(details)
  await server.importRecords(agent)
  await server.importRecords(fixture('doc-example-2025-03-28.json'))
  await server.send(
    livePlan({ traceId: 'a'.repeat(32), planId: 'plan-live', subPlanId: 'plan-below', stepId: 'step-live' }),
  )
})
afterAll(() => server.close())

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe('a plan’s details', () => {
  test('are the record byte for byte', async () => {
    const response = await server.app.request(`${DETAILS}/plan-1767061562002`)
    expect(response.status).toBe(200)
    expect(await bytesOf(response)).toEqual(details)
  })

  test.each([
    [undefined, 'text/plain;charset=UTF-8'],
    ['*/*', 'text/plain;charset=UTF-8'],
    ['text/plain, application/json;q=0.9', 'text/plain;charset=UTF-8'],
    ['application/json', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['*/*;q=0.1, application/json', 'application/json'],
    ['text/html,application/xhtml+xml,*/*;q=0.8', 'text/plain;charset=UTF-8'],
  ])('requested with Accept %s, are sent as %s', async (accept, type) => {
    const response = await server.app.request(`${DETAILS}/plan-1767061562002`, {
      headers: accept === undefined ? {} : { accept },
    })
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('of a live plan are in Lynxe’s own format, with array times and without think-acts', async () => {
    const response = await server.app.request(`${DETAILS}/plan-live`)
    const record = (await response.json()) as Record<string, unknown>
    expect(record).toMatchObject({
      currentPlanId: 'plan-live',
      title: 'Live',
      completed: true,
      startTime: [2026, 3, 4, 12, 0, 0, 1_000_000],
      agentExecutionSequence: [{ stepId: 'step-live', agentName: 'scout', status: 'FINISHED', thinkActSteps: [] }],
    })
    expect(record).not.toHaveProperty('planspan')
  })

  test.each(['nope', 'plan-below', 'step-353d351a-ce60-4142-8ce2-79beba213208', 'a%2Fb', '..%2F'])(
    'of %s, which is not a root plan, return 404 without a body',
    async (id) => {
      const response = await server.app.request(`${DETAILS}/${id}`)
      expect(response.status).toBe(404)
      expect(await response.text()).toBe('')
      expect(response.headers.get('content-type')).toBeNull()
    },
  )

  test.each(['', '%20', '%09'])('of the blank id "%s" return 400 in plain text', async (id) => {
    const response = await server.app.request(`${DETAILS}/${id}`)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/)
    expect(await response.text()).toBe('Plan ID cannot be null or empty')
  })
})

describe('the deletion of a plan’s details, which Lynxe’s page sends when a plan is done', () => {
  test.each(['plan-1767061562002', 'plan-live'])('succeeds for %s, and deletes nothing', async (planId) => {
    const response = await server.app.request(`${DETAILS}/${planId}`, { method: 'DELETE' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({ message: 'Execution record found (no deletion needed)', planId })
    expect((await server.app.request(`${DETAILS}/${planId}`)).status).toBe(200)
  })

  test.each(['nope', 'plan-below'])('of %s, which is not a root plan, returns 404 without a body', async (id) => {
    const response = await server.app.request(`${DETAILS}/${id}`, { method: 'DELETE' })
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('')
  })
})

describe('an agent’s execution', () => {
  test('that was imported separately is its record byte for byte', async () => {
    const response = await server.app.request(`${AGENT}/step-353d351a-ce60-4142-8ce2-79beba213208`)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await bytesOf(response)).toEqual(agent)
  })

  test.each([
    ['step-a', 'ConfigurableDynaAgent', 'RUNNING'],
    ['step-live', 'scout', 'FINISHED'],
  ])('of the step %s comes from its plan', async (stepId, agentName, status) => {
    const response = await server.app.request(`${AGENT}/${stepId}`)
    expect(await response.json()).toMatchObject({ stepId, agentName, status })
  })

  test('of a step that has not started comes from its plan', async () => {
    const ids = { traceId: 'b'.repeat(32), planId: 'plan-idle', subPlanId: 'plan-none', stepId: 'plan-idle-step-0' }
    const [plan, agent] = livePlan(ids)
    const steps = ['[WRITER] write', '[MAILER] send it']
    await server.send([
      { ...plan!, attributes: { ...plan!.attributes, [ATTR.planSteps]: steps, [ATTR.state]: 'failed' } },
      { ...agent!, attributes: { ...agent!.attributes, [ATTR.stepIndex]: 0 } },
    ])
    const response = await server.app.request(`${AGENT}/plan-idle-step-1`)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      stepId: 'plan-idle-step-1',
      agentName: 'MAILER',
      agentRequest: 'send it',
      status: 'IDLE',
      currentStep: 1,
    })
    expect((await server.app.request(`${AGENT}/plan-idle-step-7`)).status).toBe(404)
  })

  test('of an unknown step returns 404 without a body', async () => {
    const response = await server.app.request(`${AGENT}/nope`)
    expect(response.status).toBe(404)
    expect(await response.text()).toBe('')
  })
})

describe('when the store does not answer', () => {
  test('details return 500 in plain text, like any failure in Lynxe', async () => {
    const response = await unreachableApp().request(`${DETAILS}/plan-1`)
    expect(response.status).toBe(500)
    const text = await response.text()
    expect(text).toMatch(/^Error processing request: ClickHouse at http:\/\/planspan@127\.0\.0\.1:1 does not answer/)
    expect(text).not.toContain('secret')
  })

  test('the deletion of details returns 500 with the error in JSON', async () => {
    const response = await unreachableApp().request(`${DETAILS}/plan-1`, { method: 'DELETE' })
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ error: expect.stringMatching(/does not answer/) })
  })

  test('an agent’s execution returns 500 without a body', async () => {
    const response = await unreachableApp().request(`${AGENT}/step-1`)
    expect(response.status).toBe(500)
    expect(await response.text()).toBe('')
  })
})
