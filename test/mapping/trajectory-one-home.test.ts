import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ERAS, TRAJ_ERA } from '../../src/mapping/dialects/trajectory/era.js'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../src/mapping/index.js'
import { HOMES } from '../../src/mapping/record-object/homes.js'
import type { Properties } from '../../src/mapping/record-object/property.js'
import { ATTR, type Role, type StoredSpan } from '../../src/semconv/index.js'

const OBJECTS = [...Object.values(ERAS.nested.objects), ...Object.values(TRAJ_ERA.objects)]
const PROPERTIES = OBJECTS.map(({ properties }): Properties => properties)

/** The record keys that an attribute of a role is the home of, by the field tables and the dialect's properties. */
function boundKeys(role: Role, attribute: string): string[] {
  const fields: Readonly<Record<string, { readonly key: string }>> = HOMES[role]
  const keysIn = (properties: Properties): string[] =>
    Object.entries(properties).flatMap(([key, property]) => {
      if (property.kind === 'nested') return keysIn(property.properties)
      return property.kind === 'field' && property.home === role && fields[property.field]?.key === attribute
        ? [key]
        : []
    })
  return PROPERTIES.flatMap(keysIn)
}

/** Homes of what no single key of a shape stands for. */
const OTHER_HOMES: Readonly<Record<string, readonly string[]>> = {
  [`plan ${ATTR.taskParams}`]: ['task_params'],
  [`agent ${ATTR.requestModel}`]: ['model'],
  [`agent ${ATTR.errorMessage}`]: ['Error'],
  [`think_act ${ATTR.stepIndex}`]: ['step_num'],
  [`llm ${ATTR.outputMessages}`]: ['response'],
  [`llm ${ATTR.usageSource}`]: ['world_model_token_usage', 'harmonyguard_token_usage', 'reactive_token_usage'],
  [`tool ${ATTR.toolCallArguments}`]: ['actions', 'action'],
  [`tool ${ATTR.actionIsText}`]: ['actions', 'action'],
  [`tool ${ATTR.errorType}`]: ['type'],
  [`tool ${ATTR.errorMessage}`]: ['message'],
}

/** Keys that the writer derives from the one that the attribute is the home of. */
const FOLLOWERS: Readonly<Record<string, readonly string[]>> = {
  total_duration_seconds: ['total_duration_minutes'],
  prompt_tokens: ['total_tokens'],
  completion_tokens: ['total_tokens'],
  risk_score: ['world_model_output.risk_score'],
  risk_explanation: ['world_model_output.risk_explanation'],
  action_timestamp: ['error.timestamp'],
  // An object of which nothing is left is left out.
  current_plan: ['plan'],
}

/** Attributes that place a span in its tree; without them it is another tree. */
const STRUCTURAL = new Set<string>([ATTR.spanKind, ATTR.recordDialect, ATTR.recordEra, ATTR.seq])

/** The paths at which two documents differ, array indices left out. */
function differences(a: unknown, b: unknown, path: readonly string[] = []): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  const bothObjects = [a, b].every((value) => typeof value === 'object' && value !== null)
  const lengths = [a, b].map((value) => (Array.isArray(value) ? value.length : -1))
  if (!bothObjects || lengths[0] !== lengths[1]) return [path.join('.')]
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const keys = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...keys].flatMap((key) => differences(left[key], right[key], Array.isArray(a) ? path : [...path, key]))
}

const without = (row: StoredSpan, key: string): StoredSpan => {
  const { [key]: _, ...attributes } = row.attributes
  return { ...row, attributes }
}

const parse = (text: string): unknown =>
  text.startsWith('{"')
    ? text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : JSON.parse(text.replaceAll('NaN', '0'))

describe.each([
  'execution_trajectory.json',
  'harmonyguard-rerun.json',
  'computer-use-crashed.json',
  'proposed-fields.json',
  'traj-crashed-rerun.jsonl',
])('in %s', (file) => {
  const text = readFileSync(new URL(`../fixtures/trajectory/${file}`, import.meta.url), 'utf8')
  const [encoded] = encodeRecords(new TextEncoder().encode(text))
  const rows = encoded!.spans.map(toStoredSpan)
  const record = parse(text)
  const homesOf = (role: Role, key: string): readonly string[] => [
    ...boundKeys(role, key),
    ...(OTHER_HOMES[`${role} ${key}`] ?? []),
  ]

  test('taking out any one attribute changes its field and nothing else', () => {
    for (const [index, row] of rows.entries()) {
      const role = row.attributes[ATTR.spanKind] as Role
      for (const key of Object.keys(row.attributes).filter((name) => !STRUCTURAL.has(name))) {
        const damaged = rows.map((other, at) => (at === index ? without(other, key) : other))
        const decoded = decodeRecord(damaged)
        const changed = differences(record, parse(decoded!.text))
        const homes = homesOf(role, key)
        const ends = [...homes, ...homes.flatMap((home) => FOLLOWERS[home] ?? [])]
        const strange = changed.filter((path) => !ends.some((end) => `.${path}.`.includes(`.${end}.`)))
        // The last line of a crashed run is its error: without it the file is a line shorter.
        if (!(homes.includes('Error') && changed.join() === '')) {
          expect({ role, key, strange }).toEqual({ role, key, strange: [] })
          expect({ role, key, changes: changed.length > 0 }).toEqual({ role, key, changes: homes.length > 0 })
        }
        if (changed.length > 0) expect(decoded?.verdict).toBe('altered')
      }
    }
  })

  test('taking out any one attribute of an event changes its error alone', () => {
    for (const [index, row] of rows.entries()) {
      for (const [at, event] of row.events.entries()) {
        for (const key of Object.keys(event.attributes).filter((name) => name !== ATTR.seq)) {
          const { [key]: _, ...attributes } = event.attributes
          const events = row.events.map((other, place) => (place === at ? { ...other, attributes } : other))
          const changed = differences(
            record,
            parse(decodeRecord(rows.map((other, place) => (place === index ? { ...row, events } : other)))!.text),
          )
          if (event.name === 'exception') expect(changed).toEqual([expect.stringMatching(/^steps\.errors\.\w+$/)])
          else expect(changed).toEqual([])
        }
      }
    }
  })

  test('every key that is mapped is reached', () => {
    const keysOf = (value: unknown): string[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).flatMap(([key, item]) => [...(Array.isArray(value) ? [] : [key]), ...keysOf(item)])
        : []
    const reached = new Set(
      rows.flatMap(({ attributes }) =>
        Object.keys(attributes).flatMap((key) => homesOf(attributes[ATTR.spanKind] as Role, key)),
      ),
    )
    // Errors of a step stand on events as well.
    const derived = new Set(['total_tokens', 'total_duration_minutes', 'injection', 'type', 'message'])
    const leaves = new Set(PROPERTIES.flatMap(leafKeys))
    const expected = keysOf(record).filter((key) => leaves.has(key) && !derived.has(key))
    expect(expected.filter((key) => !reached.has(key))).toEqual([])
  })
})

/** The keys that a field stands for. */
const leafKeys = (properties: Properties): string[] =>
  Object.entries(properties).flatMap(([key, property]) => {
    if (property.kind === 'nested') return leafKeys(property.properties)
    return property.kind === 'field' ? [key] : []
  })
