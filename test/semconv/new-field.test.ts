import { expect, test, vi } from 'vitest'

import type * as Tool from '../../src/semconv/fields/tool-fields.js'

// The line that CONTRIBUTING.md shows.
vi.mock('../../src/semconv/fields/tool-fields.js', async (original) => {
  const { text } = await import('../../src/semconv/field.js')
  const { toolFields } = await original<typeof Tool>()
  const sandbox = text('planspan.tool.sandbox', 'Where the tool ran.', { structural: true, column: 'ToolSandbox' })
  return { toolFields: { ...toolFields, sandbox } }
})

test('a new attribute needs only a line in a field table', async () => {
  const { ATTR, attributeType, decodeFields, encodeFields, isStructural, toolFields } =
    await import('../../src/semconv/index.js')
  const { readViews } = await import('../../src/store/views/views.js')
  const values: object = { sandbox: 'gvisor' }

  expect(ATTR).toHaveProperty('toolSandbox', 'planspan.tool.sandbox')
  expect(encodeFields(toolFields, values)).toEqual({ 'planspan.tool.sandbox': 'gvisor' })
  expect(decodeFields(toolFields, { 'planspan.tool.sandbox': 'gvisor' })).toEqual(values)
  expect(attributeType('planspan.tool.sandbox')).toBe('string')
  expect(isStructural('planspan.tool.sandbox')).toBe(true)
  const calls = readViews().find(({ name }) => name === 'tool_calls')
  expect(calls?.columns).toContainEqual(
    expect.objectContaining({ name: 'ToolSandbox', comment: 'Where the tool ran. [planspan.tool.sandbox]' }),
  )
  expect(calls?.sql).toContain("a['planspan.tool.sandbox'] AS ToolSandbox")
})
