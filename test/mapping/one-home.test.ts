import { describe, expect, test } from 'vitest'
import { ERAS, type EraName } from '../../src/mapping/dialects/plan-execution/era.js'
import { JMANUS } from '../../src/mapping/dialects/plan-execution/properties.js'
import { HOMES } from '../../src/mapping/record-object/homes.js'
import type { RecordObject } from '../../src/mapping/record-object/record-object.js'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../src/mapping/index.js'
import { ATTR, type Role, type StoredSpan } from '../../src/semconv/index.js'

/** Records in which every mapped field of their era has a value. */
const call = { name: 'browser', parameters: '{"url": "x"}', result: 'ok', id: 'toolcall-1' }
const lynxeTime = (second: number): number[] => [2025, 12, 30, 10, 26, second, 500_000_000]
const lynxeAgent = (subPlans: object[]): object => ({
  id: 1905,
  stepId: 'step-1',
  conversationId: 'conversation-1',
  agentName: 'writer',
  agentDescription: 'writes',
  startTime: lynxeTime(2),
  endTime: lynxeTime(9),
  maxSteps: 5,
  currentStep: 1,
  status: 'FINISHED',
  agentRequest: 'write',
  result: 'written',
  errorMessage: 'almost',
  modelName: 'm-1',
  latestMethodName: 'browser',
  latestMethodArgs: '{}',
  latestRoundNumber: 3,
  thinkActSteps: [
    {
      id: 7,
      parentExecutionId: 1905,
      thinkStartTime: lynxeTime(2),
      thinkEndTime: lynxeTime(3),
      actStartTime: lynxeTime(4),
      actEndTime: lynxeTime(5),
      thinkInput: 'in',
      thinkOutput: 'out',
      actionNeeded: true,
      actionDescription: 'browse',
      actionResult: 'browsed',
      status: 'SUCCESS',
      errorMessage: 'slow',
      inputCharCount: 2,
      outputCharCount: 3,
      modelContextLimit: 128_000,
      toolName: null,
      toolParameters: null,
      actToolInfoList: [call],
    },
  ],
  subPlanExecutionRecords: subPlans,
  completed: true,
  subPlanCount: subPlans.length,
  running: false,
  idle: false,
  completedThinkActStepsCount: 0,
})
const lynxePlan = (planId: string, parent: object | null, agents: object[]): object => ({
  id: 1,
  currentPlanId: planId,
  rootPlanId: 'plan-1',
  parentPlanId: 'plan-0',
  toolCallId: 'toolcall-1',
  title: 'Title',
  userRequest: 'Request',
  startTime: lynxeTime(1),
  endTime: lynxeTime(10),
  currentStepIndex: 0,
  completed: true,
  summary: 'Summary',
  agentExecutionSequence: agents,
  userInputWaitState: {
    planId: 'plan-1',
    title: 'Form',
    waiting: true,
    formDescription: 'Please',
    formInputs: [{ label: 'Mail' }],
  },
  modelName: 'm-0',
  parentActToolCall: parent,
  structureResult: '{"a":1}',
})
const first = {
  id: 1711624451711,
  planId: 'plan_1',
  title: 'Title',
  userRequest: 'Request',
  startTime: '2025-03-28T14:14:11.711141',
  endTime: '2025-03-28T14:14:45.324512',
  currentStepIndex: 2,
  completed: false,
  summary: 'Working',
  steps: ['[A] one'],
  agentExecutionSequence: [
    {
      id: 2,
      conversationId: 'plan_1',
      agentName: 'A',
      agentDescription: 'd',
      startTime: '2025-03-28T14:14:12',
      endTime: '2025-03-28T14:14:13',
      maxSteps: 3,
      currentStep: 1,
      status: 'COMPLETED',
      isCompleted: true,
      isStuck: false,
      agentRequest: 'r',
      result: 's',
      errorMessage: 'e',
      thinkActSteps: [
        {
          id: 3,
          parentExecutionId: 2,
          thinkStartTime: '2025-03-28T14:14:12',
          thinkEndTime: '2025-03-28T14:14:12.1',
          actStartTime: '2025-03-28T14:14:12.2',
          actEndTime: '2025-03-28T14:14:12.3',
          thinkInput: 'i',
          thinkOutput: 'o',
          actionNeeded: true,
          actionDescription: 'ad',
          actionResult: 'ar',
          status: 'completed',
          errorMessage: 'te',
          toolName: 'browser',
          toolParameters: '{}',
        },
      ],
    },
  ],
}
const RECORDS = {
  'a Lynxe plan with a sub-plan below a tool call': lynxePlan('plan-1', { ...call, id: 'toolcall-0' }, [
    lynxeAgent([lynxePlan('subplan-1', call, [lynxeAgent([])])]),
  ]),
  'a Lynxe agent execution': lynxeAgent([]),
  'a plan of the first era': first,
}

/** The record keys that a span's field is bound to, by the field tables and the dialect's properties. */
function boundKeys(role: Role, attribute: string, era: EraName): string[] {
  const fields: Readonly<Record<string, { key: string }>> = HOMES[role]
  const objects: RecordObject[] = Object.values(ERAS[era].objects)
  const found = objects.flatMap(({ keys, properties }) =>
    keys.filter((key) => {
      const property = properties[key]
      return property?.kind === 'field' && property.home === role && fields[property.field]?.key === attribute
    }),
  )
  return [...new Set(found)]
}

/** The paths at which two documents differ, array indices left out. */
function differences(a: unknown, b: unknown, path: readonly string[] = []): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  const bothObjects = [a, b].every((value) => typeof value === 'object' && value !== null)
  if (!bothObjects || Array.isArray(a) !== Array.isArray(b)) return [path.join('.')]
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap((key) => differences(left[key], right[key], Array.isArray(a) ? path : [...path, key]))
}

/** Keys that the record repeats or derives from the one that the attribute is the home of. */
const FOLLOWERS: Readonly<Record<string, readonly string[]>> = {
  status: ['completed', 'running', 'idle', 'status'],
  name: ['parentActToolCall.name'],
  parameters: ['parentActToolCall.parameters'],
  result: ['parentActToolCall.result'],
  id: ['parentActToolCall.id'],
}

/** Attributes that place a span in its tree; without them it is another tree. */
const STRUCTURAL = new Set<string>([ATTR.spanKind, ATTR.recordDialect, ATTR.recordEra, ATTR.seq])

const without = (row: StoredSpan, key: string): StoredSpan => {
  const { [key]: _, ...attributes } = row.attributes
  return { ...row, attributes }
}

describe.each(Object.entries(RECORDS))('in %s', (_, record) => {
  const text = JSON.stringify(record)
  const [encoded] = encodeRecords(new TextEncoder().encode(text))
  const rows = encoded!.spans.map(toStoredSpan)
  const cases = rows.flatMap((row, index) =>
    Object.keys(row.attributes)
      .filter((key) => !STRUCTURAL.has(key))
      .map((key) => [row.name, key, index] as const),
  )

  test('nothing is left to the residual', () => {
    expect(rows.filter((row) => ATTR.residual in row.attributes)).toEqual([])
    expect(decodeRecord(rows)?.text).toBe(text)
  })

  test('every key that the era maps has an attribute', () => {
    const reached = new Set(
      rows.flatMap((row) =>
        Object.keys(row.attributes).flatMap((key) =>
          boundKeys(row.attributes[ATTR.spanKind] as Role, key, encoded!.era as EraName),
        ),
      ),
    )
    const keysOf = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, member]) => [...(Array.isArray(value) ? [] : [key]), ...keysOf(member)])
        : []
    const mapped = new Set(
      Object.values(JMANUS).flatMap((properties) =>
        Object.entries(properties).flatMap(([key, { kind }]) => (kind === 'field' ? [key] : [])),
      ),
    )
    const derived = encoded!.era === 'A' ? [] : ['completed', 'toolName', 'toolParameters']
    expect(keysOf(record).filter((key) => mapped.has(key) && !derived.includes(key) && !reached.has(key))).toEqual([])
  })

  test.each(cases)('taking out %s’s %s changes its field and nothing else', (_, key, index) => {
    const role = rows[index]!.attributes[ATTR.spanKind] as Role
    const damaged = rows.map((row, at) => (at === index ? without(row, key) : row))
    const decoded = decodeRecord(damaged)
    const changed = differences(record, JSON.parse(decoded!.text))
    const bound = boundKeys(role, key, encoded!.era as EraName)
    const homes = changed.filter(
      (path) => bound.includes(path.split('.').at(-1)!) && !path.includes('parentActToolCall'),
    )
    const followers = bound.flatMap((name) => FOLLOWERS[name] ?? [])
    if (key === ATTR.planParentToolCall) expect(changed).toEqual(['parentActToolCall'])
    else {
      expect(homes).toHaveLength(bound.length > 0 ? 1 : 0)
      const others = changed.filter((path) => !homes.includes(path))
      expect(others.filter((path) => !followers.some((follower) => path.endsWith(follower)))).toEqual([])
      if (changed.length > 0) expect(decoded?.verdict).toBe('altered')
    }
  })
})
