import { describe, expect, test } from 'vitest'

import { treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { PlanLife, resumedLife } from '../../support/plan-life.js'

const IDS = { traceId: 'a'.repeat(32), planId: 'plan-1' }

describe('the spans of a tree', () => {
  test('are one for all segments of a plan, and have the segment of each', () => {
    const spans = treeSpans(resumedLife(IDS).stored)
    const names = new Map(spans.map(({ spanId, name }) => [spanId, name]))
    expect(
      spans.map(({ name, parentSpanId, state, segment }) => [name, names.get(parentSpanId), state, segment]),
    ).toEqual([
      ['invoke_workflow', undefined, 'completed', 0],
      ['invoke_agent', 'invoke_workflow', 'completed', 0],
      ['agent_step', 'invoke_agent', 'interrupted', 0],
      ['execute_tool', 'agent_step', 'interrupted', 0],
      ['agent_step', 'invoke_agent', 'interrupted', 1],
      ['wait_for_user', 'agent_step', 'completed', 1],
      ['agent_step', 'invoke_agent', 'completed', 2],
    ])
  })

  test('that never ended last until the last sign of life of their run', () => {
    const life = resumedLife(IDS)
    const ends = new Map(treeSpans(life.stored).map((span) => [`${span.segment} ${span.name}`, span.endTimeUnixNano]))
    // The killed call is the last row of the first run.
    const killed = life.stored.find(({ name }) => name === 'execute_tool')
    expect(ends.get('0 execute_tool')).toBe(killed!.endTimeUnixNano)
    expect(ends.get('0 agent_step')).toBe(killed!.endTimeUnixNano)
  })

  test('have the message of an original failure, and the cost of a call', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('agent', 'agent', 'plan')
    life.start('tool', 'tool', 'agent')
    life.end('tool', { [ATTR.errorMessage]: '502 from gateway.\nRetry later.' }, 'ERROR')
    life.start('model', 'llm', 'agent')
    life.end('model')
    life.end('agent', { [ATTR.errorMessage]: '502 from gateway.\nRetry later.' }, 'ERROR')
    const spans = treeSpans(life.stored, { costOfCall: () => 0.5 })
    expect(spans.map(({ name, failure, costUsd }) => [name, failure, costUsd])).toEqual([
      ['invoke_workflow', undefined, undefined],
      ['invoke_agent', undefined, undefined],
      ['execute_tool', '502 from gateway', undefined],
      ['chat', undefined, 0.5],
    ])
  })

  test('do not change foreign spans and their places', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    const [row] = life.stored
    const foreign = { ...row!, spanId: 'f'.repeat(16), parentSpanId: '1000000000000001', name: 'GET', attributes: {} }
    const spans = treeSpans([...life.stored, foreign])
    expect(spans.map(({ name, state }) => [name, state])).toEqual([
      ['invoke_workflow', 'planning'],
      ['GET', undefined],
    ])
    expect(spans[1]?.parentSpanId).toBe(spans[0]?.spanId)
  })

  test('include the call that a guardrail stopped, and mark the guardrail', () => {
    const life = new PlanLife(IDS)
    life.start('plan', 'plan')
    life.start('agent', 'agent', 'plan')
    life.start('cycle', 'think_act', 'agent')
    life.start('guardrail', 'guardrail', 'cycle', { [ATTR.riskIsSafe]: false, [ATTR.riskActionName]: 'rm' })
    for (const name of ['guardrail', 'cycle', 'agent', 'plan']) life.end(name)
    const spans = treeSpans(life.stored)
    const tool = spans.find(({ name }) => name === 'execute_tool rm')
    const guardrail = spans.find(({ attributes }) => attributes[ATTR.spanKind] === 'guardrail')
    expect([tool?.state, guardrail?.attributes[ATTR.riskActionTaken]]).toEqual(['cancelled', 'false'])
  })
})
