import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../src/mapping/index.js'
import { ATTR, ROLE_FIELDS } from '../../src/semconv/index.js'
import { CALL, RESEARCHER, RUN } from '../../src/mapping/dialects/review-log/properties.js'
import type { Properties } from '../../src/mapping/record-object/property.js'

const record = {
  timestamp: '2025-10-09T12:34:25.000120',
  question: 'Which?',
  locale: 'en',
  context: 'hint',
  plan: {
    topic: 'topic',
    goal: 'goal',
    steps: [{ id: 'step-1', title: 'one', confidence: 0.5 }],
    assumptions: ['a'],
    risks: ['r'],
    metadata: { locale: 'en', reviewer: 'me', budget_tokens: 8000, budget_cost_usd: 2.5 },
  },
  review_log: [{ attempt: 1, action: 'ACCEPT_PLAN', feedback: '' }],
  telemetry: {
    researcher: {
      total_calls: 1,
      total_notes: 2,
      total_duration_seconds: 1.5,
      total_results: 3,
      degradation_modes: ['budget'],
      calls: [
        {
          step_id: 'step-1',
          query: 'Which? | one | en',
          note_count: 2,
          duration_seconds: 1.5,
          result_count: 3,
          applied_max_results: 4,
          applied_max_notes: 5,
          degradation_mode: 'budget',
        },
      ],
    },
  },
}

/** The paths of an object's fields, by the attribute that is each one's home. */
function homes(
  properties: Properties,
  table: Readonly<Record<string, { key: string }>>,
  path: string,
): Map<string, string> {
  return new Map(
    Object.entries(properties).flatMap(([key, property]): [string, string][] => {
      if (property.kind === 'nested') return [...homes(property.properties, table, `${path}${key}.`)]
      return property.kind === 'field' ? [[table[property.field]!.key, `${path}${key}`]] : []
    }),
  )
}

const HOMES: Readonly<Record<string, Map<string, string>>> = {
  plan: homes(RUN, ROLE_FIELDS.plan, ''),
  agent: homes(RESEARCHER, ROLE_FIELDS.agent, 'telemetry.researcher.'),
  tool: homes(CALL, ROLE_FIELDS.tool, 'telemetry.researcher.calls.0.'),
}

function differences(a: unknown, b: unknown, path: readonly string[] = []): string[] {
  if (JSON.stringify(a) === JSON.stringify(b)) return []
  if ([a, b].some((value) => typeof value !== 'object' || value === null)) return [path.join('.')]
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) =>
    differences(left[key], right[key], [...path, key]),
  )
}

/** Attributes that place a span in its tree; without them it is another tree. */
const STRUCTURAL = new Set<string>([ATTR.spanKind, ATTR.recordDialect, ATTR.recordEra, ATTR.seq])

describe('in a planner run', () => {
  // Python's separators: no string of the record holds a comma, or a quote before a colon.
  const text = `${JSON.stringify(record).replaceAll(/,|(?<="):/g, '$& ')}\n`
  const [encoded] = encodeRecords(new TextEncoder().encode(text))
  const rows = encoded!.spans.map(toStoredSpan)

  test('nothing is left to the residual', () => {
    expect(rows.filter((row) => ATTR.residual in row.attributes)).toEqual([])
    expect(decodeRecord(rows)?.text).toBe(text)
  })

  test('every key has a home', () => {
    const stored = rows.flatMap((row) => {
      const at = HOMES[row.attributes[ATTR.spanKind]!]!
      return Object.keys(row.attributes).flatMap((key) => at.get(key) ?? [])
    })
    expect(stored.sort()).toEqual(
      Object.values(HOMES)
        .flatMap((at) => [...at.values()])
        .sort(),
    )
  })

  const cases = rows.flatMap((row, index) =>
    Object.keys(row.attributes)
      .filter((key) => !STRUCTURAL.has(key))
      .map((key) => [row.name, key, index] as const),
  )
  test.each(cases)('taking out %s’s %s changes its field and nothing else', (_, key, index) => {
    const damaged = rows.map((row, at) => {
      const { [key]: __, ...attributes } = row.attributes
      return at === index ? { ...row, attributes } : row
    })
    const home = HOMES[rows[index]!.attributes[ATTR.spanKind]!]!.get(key)
    const decoded = decodeRecord(damaged)
    const changed = differences(record, JSON.parse(decoded!.text))
    expect(changed).toEqual(home === undefined ? [] : [home])
    if (home !== undefined) expect(decoded?.verdict).toBe('altered')
  })
})
