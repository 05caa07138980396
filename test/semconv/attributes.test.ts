import { describe, expect, test } from 'vitest'

import { ATTR, FIELD_TABLES, type AnyField } from '../../src/semconv/index.js'

const lines = Object.entries(FIELD_TABLES).flatMap(([table, fields]) =>
  Object.entries<AnyField>(fields).map(([name, field]) => ({ where: `${table}.${name}`, field })),
)

describe('a line of a field table', () => {
  test('is named in code by its key in camel case, or by its explicit name', () => {
    expect(ATTR.planRootId).toBe('planspan.plan.root_id')
    expect(ATTR.usageInputTokens).toBe('gen_ai.usage.input_tokens')
    expect(ATTR.usageRollupInputTokens).toBe('planspan.usage.input_tokens')
    // @ts-expect-error a misspelled name
    expect(ATTR.planRootID).toBeUndefined()
  })

  test('has a unique name', () => {
    const keys = new Map<string, Set<string>>()
    for (const { field } of lines) keys.set(field.name, (keys.get(field.name) ?? new Set()).add(field.key))
    expect([...keys].filter(([, ofName]) => ofName.size > 1)).toEqual([])
  })

  test('describes its attribute like the other lines of that attribute', () => {
    const facts = new Map<string, Map<string, string[]>>()
    for (const { where, field } of lines) {
      const { type, content, structural, latestOnly, name } = field
      const fact = JSON.stringify({ type, content, structural, latestOnly, name })
      const ofKey = facts.get(field.key) ?? new Map<string, string[]>()
      facts.set(field.key, ofKey.set(fact, [...(ofKey.get(fact) ?? []), where]))
    }
    expect([...facts].filter(([, ofKey]) => ofKey.size > 1)).toEqual([])
  })

  test('is never both structural and content, because structural attributes are never masked', () => {
    expect(lines.filter(({ field }) => field.structural && field.content)).toEqual([])
  })
})
