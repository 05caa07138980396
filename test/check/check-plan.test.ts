import { describe, expect, test } from 'vitest'

import { checkPlan, readRules } from '../../src/check/index.js'
import { ATTR, type Role, type Span, type StoredSpan } from '../../src/semconv/index.js'
import { PlanLife } from '../support/plan-life.js'

const PLAN = { traceId: 'a'.repeat(32), planId: 'plan-1' }

type Attributes = Span['attributes']
interface Call {
  readonly role?: Role
  readonly failed?: true
  /** A wait inside of the call, which is over or open. */
  readonly within?: Call | 'open'
  readonly attributes: Attributes
}

const call = (name: string, data?: object, more: Attributes = {}): Call => ({
  attributes: {
    [ATTR.toolName]: name,
    ...(data && { [ATTR.toolCallArguments]: JSON.stringify(data) }),
    ...more,
  },
})
const failing = (name: string, data?: object): Call => ({ ...call(name, data), failed: true })
const model = (attributes: Attributes): Call => ({ role: 'llm', attributes })
const approval = (resolution: string, more: Attributes = {}): Call => ({
  role: 'wait',
  attributes: { [ATTR.waitReason]: 'tool_approval', [ATTR.waitResolution]: resolution, ...more },
})
const judged = (score: number, taken: boolean, name: string): Call => ({
  role: 'guardrail',
  attributes: {
    [ATTR.riskScore]: score,
    [ATTR.riskIsSafe]: score < 0.7,
    [ATTR.riskActionName]: name,
    [ATTR.riskActionTaken]: taken,
  },
})

interface Story {
  readonly calls: readonly Call[]
  readonly plan?: Attributes
  /** @default completed */
  readonly end?: 'completed' | 'failed' | 'none'
}

/** The stored spans of a plan with one agent, in whose cycle everything happens in order. */
function spansOf({ calls, plan = {}, end = 'completed' }: Story): StoredSpan[] {
  const life = new PlanLife(PLAN)
  life.start('plan', 'plan', undefined, { [ATTR.agentName]: 'airline', ...plan })
  life.start('agent', 'agent', 'plan', { [ATTR.agentName]: 'clerk', [ATTR.stepIndex]: 0 })
  life.start('cycle', 'think_act', 'agent', { [ATTR.agentName]: 'clerk' })
  for (const [at, { role = 'tool', attributes, failed, within }] of calls.entries()) {
    const name = `call-${String(at)}`
    life.start(name, role, 'cycle', { [ATTR.agentName]: 'clerk', ...attributes })
    if (within)
      life.start('wait', 'wait', name, within === 'open' ? { [ATTR.waitReason]: 'tool_approval' } : within.attributes)
    if (within === 'open') continue
    if (within) life.end('wait', {}, 'UNSET')
    life.end(name, {}, failed ? 'ERROR' : 'UNSET')
  }
  if (end !== 'none') {
    for (const name of ['cycle', 'agent', 'plan']) life.end(name, {}, end === 'failed' ? 'ERROR' : 'UNSET')
  }
  return life.stored
}

/** The findings of one rule, as `outcome: text`. */
function findings(rule: object, story: Story): string[] | undefined {
  const checked = readRules({ rules: [{ name: 'rule', ...rule }] })
  if ('problems' in checked) throw new Error(checked.problems.map(({ text }) => text).join('; '))
  const options = { planId: 'plan-1', now: 0n, costOfCall: () => undefined }
  return checkPlan(spansOf(story), checked.rules, options)?.findings.map(({ outcome, text }) => `${outcome}: ${text}`)
}

const refund = call('refund', { order: { id: 7 }, amount: 500 })
const verify = call('verify', { order: { id: 7 } })
const other = call('verify', { order: { id: 8 } })
const STEPS = { [ATTR.planSteps]: ['Verify the user', 'Pay'] }
const ORDER = { order: { action: 'refund', after: 'verify' } }
const SAME = { order: { action: 'refund', after: 'verify', same: ['order.id'] } }
const FOLLOW = { follow: { action: 'refund', by: 'log' } }
const LARGE = { tool: 'refund', arguments: { amount: { above: 100 } } }
const REVIEW = { review: { before: 'refund' } }
const COST = { budget: { costUsd: 1 } }

describe('a rule', () => {
  test.each<[name: string, rule: object, story: Story, expected: string[]]>([
    ['order holds', ORDER, { calls: [verify, refund] }, []],
    ['order is reversed', ORDER, { calls: [refund, verify] }, ['broken: refund without an earlier completed verify']],
    [
      'order needs success',
      ORDER,
      { calls: [failing('verify'), refund] },
      ['broken: refund without an earlier completed verify'],
    ],
    ['order of equal arguments holds', SAME, { calls: [other, verify, refund] }, []],
    [
      'order of equal arguments is broken',
      SAME,
      { calls: [other, refund] },
      ['broken: refund without an earlier completed verify of the same order.id'],
    ],
    ['follow holds', FOLLOW, { calls: [refund, call('log')] }, []],
    ['follow is broken', FOLLOW, { calls: [call('log'), refund] }, ['broken: refund without a later completed log']],
    [
      'follow is undecided while the plan runs',
      FOLLOW,
      { calls: [refund], end: 'none' },
      ['undecided: refund without a later completed log so far'],
    ],
    ['forbid by name', { forbid: ['re*', 'x'] }, { calls: [refund] }, ['broken: refund is forbidden']],
    [
      'forbid by argument',
      { forbid: LARGE },
      { calls: [refund, call('refund', { amount: 5 })] },
      ['broken: refund with certain amount is forbidden'],
    ],
    [
      'forbid without recorded arguments',
      { forbid: LARGE },
      { calls: [call('refund')] },
      ['undecided: the arguments of refund were not recorded'],
    ],
    [
      'forbid by pattern, negation and absence',
      { forbid: { tool: 'sh', arguments: { cmd: { matches: '^rm' }, dir: { not: '/tmp*' }, why: { exists: false } } } },
      { calls: [call('sh', { cmd: 'rm', dir: '/tmp/1' }), call('sh', { cmd: ['ls', 'rm'], dir: '/' })] },
      ['broken: sh with certain cmd, dir, why is forbidden'],
    ],
    [
      'forbid after an action',
      { forbid: { tool: 'refund', after: 'verify' } },
      { calls: [refund, verify, refund] },
      ['broken: refund is forbidden after verify'],
    ],
    ['forbid an agent', { forbid: { agent: 'cl*' } }, { calls: [] }, ['broken: agent clerk is forbidden']],
    ['require holds', { require: 'verify' }, { calls: [verify] }, []],
    ['require is broken', { require: 'verify' }, { calls: [] }, ['broken: verify did not complete']],
    [
      'require is undecided while the plan runs',
      { require: 'verify' },
      { calls: [], end: 'none' },
      ['undecided: verify did not complete so far'],
    ],
    [
      'require limits the count',
      { require: { tool: 'verify', atMost: 1 } },
      { calls: [verify, verify] },
      ['broken: verify occurred 2 times, at most 1 allowed'],
    ],
    [
      'require a completed step',
      { require: { step: 'Pay' } },
      { calls: [verify], plan: STEPS },
      ['broken: step Pay did not complete'],
    ],
    [
      'allow',
      { allow: ['verify', 'log'] },
      { calls: [verify, refund] },
      ['broken: refund is not one of the allowed tools: verify or log'],
    ],
    ['allow for another agent', { allow: { tool: 'log', agent: 'auditor' } }, { calls: [refund] }, []],
    [
      'budget of calls, repeated calls and errors',
      { budget: { toolCalls: 3, identicalCalls: 1, errors: 0, seconds: 60, cycles: 1 } },
      { calls: [verify, call('x'), failing('y'), call('verify', { order: { id: 7 } })] },
      [
        'broken: 4 tool calls, at most 3 allowed',
        'broken: 2 identical calls, at most 1 allowed',
        'broken: 1 errors, at most 0 allowed',
      ],
    ],
    [
      'budget of tokens',
      { budget: { tokens: 100, inputTokens: 90 } },
      { calls: [model({ [ATTR.usageInputTokens]: 90, [ATTR.usageOutputTokens]: 20 })] },
      ['broken: 110 tokens, at most 100 allowed'],
    ],
    [
      'budget of tokens that were not reported',
      { budget: { tokens: 100 } },
      { calls: [model({})] },
      ['undecided: tokens is unknown, at most 100 allowed'],
    ],
    ['budget of cost without model calls', COST, { calls: [] }, []],
    ['budget of unknown cost', COST, { calls: [model({})] }, ['undecided: costUsd is unknown, at most 1 allowed']],
    ['review holds', REVIEW, { calls: [approval('approved'), refund] }, []],
    [
      'review comes too late',
      REVIEW,
      { calls: [refund, approval('approved')] },
      ['broken: refund without an earlier approval by a person'],
    ],
    ['review is in the call', REVIEW, { calls: [{ ...refund, within: approval('approved') }] }, []],
    ['review is awaited', REVIEW, { calls: [{ ...refund, within: 'open' }], end: 'none' }, []],
    [
      'review is a refusal in a call that is not made',
      REVIEW,
      { calls: [{ ...refund, failed: true, within: approval('refused') }] },
      [],
    ],
    [
      'review is a refusal in a call that is made',
      REVIEW,
      { calls: [approval('approved'), { ...refund, within: approval('refused') }] },
      ['broken: refund although a person refused it'],
    ],
    [
      'review is of another tool',
      REVIEW,
      { calls: [approval('approved', { [ATTR.toolName]: 'log' }), refund] },
      ['broken: refund without an earlier approval by a person'],
    ],
    [
      'review is a refusal',
      REVIEW,
      { calls: [approval('approved'), approval('refused'), refund] },
      ['broken: refund although a person refused it'],
    ],
    [
      'review by someone else',
      { review: { before: 'refund', by: 'boss' } },
      { calls: [approval('approved', { [ATTR.waitActor]: 'intern' }), refund] },
      ['broken: refund without an earlier approval by a person'],
    ],
    ['state holds', { state: ['failed', 'cancelled'] }, { calls: [], end: 'failed' }, []],
    [
      'state is another',
      { state: 'completed' },
      { calls: [], end: 'failed' },
      ['broken: the plan is failed, not completed'],
    ],
    ['steps are done', { steps: { done: 'Verify*', planned: 'Pay', atMost: 2 } }, { calls: [], plan: STEPS }, []],
    [
      'steps were planned but never done',
      { steps: { done: '*', planned: 'Apologize', atMost: 1 } },
      { calls: [], plan: STEPS },
      [
        'broken: no step Apologize was planned',
        'broken: 2 steps were planned, at most 1 allowed',
        'broken: planned step 2 never began',
      ],
    ],
    [
      'risk was taken',
      { risk: { max: 0.5, unsafe: 'stopped' } },
      { calls: [judged(0.8, true, 'refund'), refund] },
      [
        'broken: refund has the risk 0.8, at most 0.5 allowed',
        'broken: refund was taken although a guardrail found it unsafe',
      ],
    ],
    ['risk was stopped', { risk: { max: 0.5, unsafe: 'stopped' } }, { calls: [judged(0.8, false, 'refund')] }, []],
    [
      'risk was proposed',
      { risk: { unsafe: 'none' } },
      { calls: [judged(0.8, false, 'refund')] },
      ['broken: refund was proposed and is unsafe'],
    ],
    [
      'risk was not judged',
      { risk: { judged: '*' } },
      { calls: [judged(0, true, 'refund'), refund, verify] },
      ['broken: no guardrail judged verify'],
    ],
    [
      'text is forbidden',
      { text: { in: ['results', 'errors'], forbid: 'password', ignoreCase: true } },
      { calls: [call('read', {}, { [ATTR.toolCallResult]: '{"a":["The Password"]}' })] },
      ['broken: a forbidden pattern is in the results'],
    ],
    [
      'text is required',
      { text: { in: 'answer', require: 'ticket \\d+' } },
      { calls: [], plan: { [ATTR.planSummary]: 'Done.' } },
      ['broken: no answer matches the required pattern'],
    ],
    [
      'text was not recorded',
      { text: { in: 'answer', require: 'x' } },
      { calls: [] },
      ['undecided: no answer was recorded'],
    ],
    ['for another workflow', { where: { workflow: 'hotel' }, require: 'x' }, { calls: [] }, []],
    [
      'for this workflow, agent and tool',
      { where: { workflow: 'air*', agent: 'clerk', tool: 'verify' }, forbid: 'verify' },
      { calls: [verify] },
      ['broken: verify is forbidden'],
    ],
  ])('%s', (_, rule, story, expected) => {
    expect(findings(rule, story)).toEqual(expected)
  })

  test('has at most 20 findings per plan, and counts the others', () => {
    const found = findings({ forbid: 'x' }, { calls: Array.from({ length: 23 }, () => call('x')) })
    expect(found).toHaveLength(20)
    expect(found?.at(-1)).toBe('broken: x is forbidden, and 3 more')
  })
})
