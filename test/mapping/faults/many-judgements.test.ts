import { describe, expect, test } from 'vitest'

import { isActionTaken, judgedCalls, madeCall } from '../../../src/mapping/faults/action-taken.js'
import { decodeRecord } from '../../../src/mapping/index.js'
import { buildForest } from '../../../src/mapping/tree/forest.js'
import { foldSpans } from '../../../src/mapping/tree/fold.js'
import { walk } from '../../../src/mapping/tree/span-node.js'
import { ATTR, LINK_TYPES, type StoredSpan } from '../../../src/semconv/index.js'

const id = (number: number): string => (number + 1).toString(16).padStart(16, '0')

function span(number: number, parent: number | undefined, kind: string, attributes: Record<string, string>) {
  return {
    traceId: 'a'.repeat(32),
    spanId: id(number),
    parentSpanId: parent === undefined ? '' : id(parent),
    name: kind,
    kind: 'INTERNAL',
    startTimeUnixNano: BigInt(1_000 + number),
    endTimeUnixNano: 100_000n,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: { [ATTR.spanKind]: kind, [ATTR.planId]: 'p', [ATTR.planRootId]: 'p', ...attributes },
    events: [],
    links: [],
  } as unknown as StoredSpan
}

const cycle = (): StoredSpan[] => [span(0, undefined, 'plan', {}), span(1, 0, 'agent', {}), span(2, 1, 'think_act', {})]

describe('as many guardrails as tool calls in a cycle', () => {
  /** The number of link lookups while all guardrails are judged and the record is made. */
  function looks(count: number): number {
    let looked = 0
    const calls = Array.from({ length: count }, (_, number) => {
      const call = span(3 + number * 2, 2, 'tool', { [ATTR.toolName]: 'click', [ATTR.seq]: String(number) })
      return Object.defineProperty({ ...call }, 'links', {
        enumerable: true,
        get: () => {
          looked++
          return []
        },
      })
    })
    const guardrails = Array.from({ length: count }, (_, number) =>
      span(4 + number * 2, 2, 'guardrail', { [ATTR.riskScore]: '0.5' }),
    )
    expect(decodeRecord([...cycle(), ...calls, ...guardrails])?.text).toContain('"assessments"')
    return looked
  }

  test('are judged in linear time', () => {
    expect(looks(400)).toBeLessThan(looks(100) * 5)
  })
})

test('a guardrail judged the calls that are assigned to it, in order, up to the next judgement, with the first one made', () => {
  const call = (number: number, seq: number, attributes: Record<string, string> = {}) =>
    span(number, 2, 'tool', { [ATTR.toolName]: 'click', [ATTR.seq]: String(seq), ...attributes })
  const guarded = {
    ...call(9, 5),
    links: [{ traceId: 'a'.repeat(32), spanId: id(3), attributes: { [ATTR.linkType]: LINK_TYPES.guards } }],
  } as unknown as StoredSpan
  const spans = [
    ...cycle(),
    span(3, 2, 'guardrail', {}),
    span(4, 2, 'guardrail', {}),
    span(5, 2, 'guardrail', { [ATTR.riskActionName]: 'type' }),
    span(11, 2, 'guardrail', {}),
    call(6, 2),
    call(7, 1, { [ATTR.riskActionTaken]: 'false' }),
    call(8, 0, { [ATTR.toolName]: 'type' }),
    guarded,
    call(12, 3),
  ]
  const [root] = buildForest(foldSpans(spans))
  const judged = [...walk(root!)]
    .filter(({ role }) => role === 'guardrail')
    .map((guardrail) => ({
      id: guardrail.span.spanId,
      judged: judgedCalls(guardrail)?.map(({ span }) => span.spanId),
      made: madeCall(guardrail)?.span.spanId,
      taken: isActionTaken(guardrail),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  expect(judged).toEqual([
    { id: id(3), judged: [id(9)], made: id(9), taken: true },
    { id: id(4), judged: [id(8), id(7), id(6)], made: id(8), taken: true },
    { id: id(5), judged: [id(8)], made: id(8), taken: true },
    { id: id(11), judged: [id(12)], made: id(12), taken: true },
  ])
})
