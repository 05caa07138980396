import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'

type Data = Readonly<Record<string, unknown>>

const call = { name: 'delegate', parameters: '{"topic":"cats"}', result: 'done', id: 'toolcall-1' }
const other = { ...call, result: 'twice', parameters: '{}' }
const elsewhere = { ...call, id: 'toolcall-2' }

/** An agent's execution with one sub-plan; undefined fields are omitted. */
const textOf = (subPlan: Data, ...calls: readonly Data[]): string =>
  JSON.stringify({
    currentPlanId: 'plan-1',
    rootPlanId: 'plan-1',
    agentExecutionSequence: [
      {
        stepId: 'step-1',
        thinkActSteps: [{ actToolInfoList: calls }],
        subPlanExecutionRecords: [{ currentPlanId: 'subplan-1', rootPlanId: 'plan-1', ...subPlan }],
      },
    ],
  })

const encode = (text: string) => [...encodeRecords(new TextEncoder().encode(text))][0]!.spans

describe('a sub-plan', () => {
  test.each([
    ['that repeats its call', { toolCallId: 'toolcall-1', parentActToolCall: call }, [elsewhere, call], 1],
    ['whose call is null', { toolCallId: 'toolcall-1', parentActToolCall: null }, [elsewhere, call], 1],
    ['that has the id of its call alone', { toolCallId: 'toolcall-1' }, [elsewhere, call], 1],
    ['that has its call otherwise', { toolCallId: 'toolcall-1', parentActToolCall: { id: 'x' } }, [call], 0],
    ['of an id that two calls have, the first', { toolCallId: 'toolcall-1' }, [call, other], 0],
    ['of one of two calls of an id', { toolCallId: 'toolcall-1', parentActToolCall: other }, [call, other], 1],
  ])('%s is placed below its call and rebuilt byte for byte', (_, subPlan, calls, index) => {
    const text = textOf(subPlan, ...calls)
    const spans = encode(text)
    const tools = spans.filter(({ attributes }) => attributes[ATTR.spanKind] === 'tool')
    const below = spans.find(({ attributes }) => attributes[ATTR.planId] === 'subplan-1')!
    expect(tools.map(({ spanId }) => spanId).indexOf(below.parentSpanId)).toBe(index)
    expect(decodeRecord(spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete' })
  })

  test.each([
    ['of an unknown call', { toolCallId: 'toolcall-9', parentActToolCall: call }, [call]],
    ['of no call', { toolCallId: null }, [{ ...call, id: null }]],
    ['of a call without an id', { toolCallId: '' }, [{ ...call, id: '' }]],
  ])('%s is placed below its agent and rebuilt byte for byte', (_, subPlan, calls) => {
    const text = textOf(subPlan, ...calls)
    const spans = encode(text)
    const agent = spans.find(({ attributes }) => attributes[ATTR.spanKind] === 'agent')!
    const below = spans.find(({ attributes }) => attributes[ATTR.planId] === 'subplan-1')!
    expect(below.parentSpanId).toBe(agent.spanId)
    expect(decodeRecord(spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete' })
  })
})
