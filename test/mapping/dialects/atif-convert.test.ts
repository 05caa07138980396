import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generatePlans } from '../../../src/generate/index.js'
import { livePlan } from '../../../src/generate/generated-live-plan.js'
import { Random } from '../../../src/generate/random.js'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import type { AtifTrajectory } from '../../../src/records/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { finalRow } from '../../support/live-rows.js'
import { figuresOf } from '../../support/told-figures.js'

const START = Date.UTC(2026, 2, 4, 12)
const MONTH = 86_400_000 * 30

const liveOf = (number: number, lasts: number): StoredSpan[] =>
  livePlan({ random: new Random(`atif/${String(number)}`), start: START, until: START + lasts }).spans.map(toStoredSpan)
const textOf = (rows: readonly StoredSpan[]): string => decodeRecord(rows, { format: 'atif' })!.text
const asAtif = (rows: readonly StoredSpan[]) => JSON.parse(textOf(rows)) as AtifTrajectory
const imported = (text: string): StoredSpan[] => encodeRecords(Buffer.from(text)).next().value!.spans.map(toStoredSpan)

describe('a plan written as a trajectory in the interchange format, imported again', () => {
  test.each([
    ['that has ended', fc.constant(MONTH)],
    ['in flight', fc.integer({ min: 1, max: 600_000 })],
  ])('has the same content for a live plan %s, byte for byte', (_, lasting) => {
    fc.assert(
      fc.property(fc.nat(10_000), lasting, (number, lasts) => {
        const live = liveOf(number, lasts)
        const text = textOf(live)
        const again = imported(text)
        expect(decodeRecord(again)).toMatchObject({ text, dialect: 'atif', verdict: 'complete' })
        expect(again.flatMap(({ attributes }) => attributes[ATTR.residual] ?? [])).toEqual([])
        expect(figuresOf(again)).toEqual(figuresOf(live))
      }),
      { numRuns: 40 },
    )
  })

  test('has the same content for the plans of every system', () => {
    for (const { spans } of generatePlans({ plans: 40, days: 3, seed: 'atif', until: START })) {
      const rows = spans.map(toStoredSpan)
      const text = textOf(rows)
      const again = imported(text)
      expect(decodeRecord(again)).toMatchObject({ text, verdict: 'complete' })
      expect(figuresOf(again)).toEqual(figuresOf(rows))
    }
  })
})

const plan = (attributes: Record<string, string> = {}) =>
  finalRow({ id: 'plan', role: 'plan', attributes: { [ATTR.inputMessages]: said('user', 'Find it'), ...attributes } })
const said = (role: string, content: string): string => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])
const agent = finalRow({ id: 'agent', role: 'agent', parent: 'plan', attributes: { [ATTR.agentName]: 'finder' } })
const cycle = finalRow({ id: 'cycle', role: 'think_act', parent: 'agent' })
const call = (id: string, attributes: Record<string, string>) =>
  finalRow({ id, role: 'llm', parent: 'cycle', attributes: { ...attributes } })

describe('the trajectory of a live plan', () => {
  test('begins with the request, and has the version of the service or unknown', () => {
    const { agent: of, steps } = asAtif([plan(), agent, cycle])
    expect(of).toEqual({ name: 'finder', version: 'unknown' })
    expect(steps[0]).toMatchObject({ step_id: 1, source: 'user', message: 'Find it' })
    const [first, ...rest] = [plan(), agent, cycle]
    const versioned = { ...first!, resourceAttributes: { 'service.version': '1.2.3' } }
    expect(asAtif([versioned, ...rest]).agent.version).toBe('1.2.3')
  })

  test('adds the tokens of several model calls, and counts the calls; cached tokens are part of the input', () => {
    const tokens = (input: number, cached: number): Record<string, string> => ({
      [ATTR.usageInputTokens]: String(input),
      [ATTR.usageOutputTokens]: '5',
      [ATTR.usageCacheReadTokens]: String(cached),
    })
    const { steps, final_metrics } = asAtif([
      plan(),
      agent,
      cycle,
      call('a', tokens(100, 40)),
      call('b', tokens(50, 2)),
    ])
    expect(steps[1]).toMatchObject({
      llm_call_count: 2,
      metrics: { prompt_tokens: 150, completion_tokens: 10, cached_tokens: 42 },
    })
    expect(final_metrics).toEqual({
      total_prompt_tokens: 150,
      total_completion_tokens: 10,
      total_cached_tokens: 42,
      total_steps: 2,
    })
  })

  test('contains the cost of a model call that records it', () => {
    const rows = [plan(), agent, cycle, call('a', { [ATTR.usageInputTokens]: '1', [ATTR.usageCostUsd]: '0.25' })]
    expect(asAtif(rows)).toMatchObject({
      steps: [{}, { metrics: { cost_usd: 0.25 } }],
      final_metrics: { total_cost_usd: 0.25 },
    })
  })

  test('marks a cycle without a model call only if model calls are recorded', () => {
    const other = finalRow({ id: 'other', role: 'think_act', parent: 'agent', start: 5 })
    expect(asAtif([plan(), agent, cycle]).steps[1]).not.toHaveProperty('llm_call_count')
    const { steps } = asAtif([plan(), agent, cycle, call('a', {}), other])
    expect(steps.map(({ llm_call_count: calls }) => calls)).toEqual([undefined, 1, 0])
  })

  test('separates reasoning from the answer', () => {
    const messages = JSON.stringify([
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', content: 'Hm.' },
          { type: 'text', content: 'Done' },
        ],
      },
    ])
    const { steps } = asAtif([plan(), agent, cycle, call('a', { [ATTR.outputMessages]: messages })])
    expect(steps[1]).toMatchObject({ message: 'Done', reasoning_content: 'Hm.' })
  })

  test('embeds a sub-plan and an agent below tool calls, and refers to each from the result', () => {
    const tool = (id: string, start: number) =>
      finalRow({
        id,
        start,
        role: 'tool',
        parent: 'cycle',
        attributes: { [ATTR.toolName]: id, [ATTR.toolCallId]: `call-${id}` },
      })
    const subPlan = finalRow({ id: 'sub', role: 'plan', parent: 'delegate', planId: 'sub', rootId: 'p' })
    const helper = finalRow({
      id: 'helper',
      role: 'agent',
      parent: 'ask',
      attributes: { [ATTR.stepId]: 'step-helper', [ATTR.agentName]: 'helper' },
    })
    const { steps, subagent_trajectories: embedded } = asAtif([
      plan(),
      agent,
      cycle,
      tool('delegate', 0),
      tool('ask', 1),
      subPlan,
      helper,
    ])
    expect(steps[1]!.observation!.results).toEqual([
      { source_call_id: 'call-delegate', subagent_trajectory_ref: [{ trajectory_id: 'sub' }] },
      { source_call_id: 'call-ask', subagent_trajectory_ref: [{ trajectory_id: 'step-helper' }] },
    ])
    expect(embedded?.map(({ trajectory_id: id, agent: { name } }) => [id, name])).toEqual([
      ['sub', expect.any(String)],
      ['step-helper', 'helper'],
    ])
  })

  test('gives each call of a step an id, arguments as an object, and the error of a failed call', () => {
    const tools = [undefined, 'same', 'same'].map((callId, index) =>
      finalRow({
        id: `tool-${index}`,
        role: 'tool',
        parent: 'cycle',
        start: index,
        attributes: {
          ...(callId && { [ATTR.toolCallId]: callId }),
          [ATTR.toolCallArguments]: index === 0 ? 'just text' : '{"a": 1}',
          ...(index === 2 && { [ATTR.state]: 'failed', [ATTR.errorMessage]: 'broken' }),
        },
      }),
    )
    const [, step] = asAtif([plan(), agent, cycle, ...tools]).steps
    expect(step).toMatchObject({
      tool_calls: [
        { tool_call_id: 'call_1', arguments: { arguments: 'just text' } },
        { tool_call_id: 'same', arguments: { a: 1 } },
        { tool_call_id: 'same~2', arguments: { a: 1 } },
      ],
      observation: { results: [{ source_call_id: 'same~2', content: 'Error: broken' }] },
    })
  })

  test('names what a partial plan lacks', () => {
    const { extra } = asAtif([plan({ [`${ATTR.childrenPrefix}agent`]: '2' }), agent])
    expect(extra).toMatchObject({
      planspan: { verdict: 'partial', missing: [expect.stringContaining('1 of 2 agent')] },
    })
  })
})
