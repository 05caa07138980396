import fc from 'fast-check'
import type { ObjectKind } from '../../src/mapping/dialects/plan-execution/era.js'
import { JMANUS } from '../../src/mapping/dialects/plan-execution/properties.js'
import { jsonSpace, jsonText } from './arbitrary-json.js'

const structures: Readonly<Record<ObjectKind, Readonly<Record<string, ObjectKind>>>> = {
  plan: { agentExecutionSequence: 'agent', userInputWaitState: 'wait', parentActToolCall: 'tool' },
  agent: { thinkActSteps: 'thinkAct', subPlanExecutionRecords: 'plan' },
  thinkAct: { actToolInfoList: 'tool' },
  tool: {},
  wait: {},
}

const anyKey = fc.constantFrom('isPaused', 'completed', 'running', 'idle', 'subPlanCount', 'x', 'planspan', '\\u0069d')

/**
 * An object with some of a kind's keys, including duplicates and values of wrong types, in any order and layout.
 */
function messy(kind: ObjectKind, depth: number): fc.Arbitrary<string> {
  const nested = structures[kind]
  const keys = Object.keys(JMANUS[kind])
  const member = fc.oneof({ arbitrary: fc.constantFrom(...keys), weight: 8 }, anyKey).chain((key) => {
    const child = nested[key]
    const value =
      child && depth > 0 ? fc.oneof({ arbitrary: messyChildren(child, depth - 1), weight: 4 }, anyValue) : anyValue
    return fc.tuple(jsonSpace, fc.constant(key), jsonSpace, jsonSpace, value, jsonSpace)
  })
  return fc.array(member, { maxLength: 8 }).map((members) => {
    const texts = members.map(([a, key, b, c, value, d]) => `${a}"${key}"${b}:${c}${value}${d}`)
    return `{${texts.join(',')}}`
  })
}

const anyValue = fc.oneof(
  jsonText('any'),
  fc.constantFrom(
    'null',
    '""',
    '"step-1"',
    '0',
    '"2025-03-28T14:14"',
    '[2025,3,28,14,14,11,711141000]',
    '[2025,13,1]',
    '[]',
  ),
)

const messyChildren = (kind: ObjectKind, depth: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .array(fc.oneof({ arbitrary: messy(kind, depth), weight: 4 }, jsonText('any')), { maxLength: 3 })
      .map((items) => `[${items.join(', ')}]`),
    messy(kind, depth),
  )

/** Text with the keys of a plan-execution record that is mostly malformed. */
export const messyRecord = fc
  .tuple(
    fc.constantFrom('', '\uFEFF'),
    jsonSpace,
    fc.constantFrom(
      '"planId":"p","userRequest":null',
      '"currentPlanId":"p","rootPlanId":"r"',
      '"planId":1,"userRequest":"r"',
    ),
    messy('plan', 4),
    jsonSpace,
  )
  .map(
    ([mark, head, identity, plan, tail]) =>
      `${mark}${head}{${identity}${plan === '{}' ? '' : ','}${plan.slice(1)}${tail}`,
  )
