import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { expect, test } from 'vitest'

import { conventionType, REGISTRY } from '../../src/mapping/conventions/index.js'

const STANDARD = /^(gen_ai|mcp)\./

/** The attributes of the conventions in OpenTelemetry's own package, which has them as before their own release. */
const EARLIER = Object.entries(incubating).flatMap(([name, key]) =>
  name.startsWith('ATTR_') && typeof key === 'string' && STANDARD.test(key) ? [key] : [],
)

test('these names changed with the release', () => {
  expect(EARLIER.length).toBeGreaterThan(50)
  const gone = EARLIER.filter((key) => conventionType(key) === undefined).sort()
  expect(Object.fromEntries(gone.map((key) => [key, REGISTRY.former[key]]))).toEqual(REGISTRY.former)
})

test('a new name is a name of the release', () => {
  const names = Object.values(REGISTRY.former).filter((name) => name !== null)
  expect(names.filter((name) => conventionType(name) === undefined)).toEqual([])
})

test.each([
  ['gen_ai.operation.name', 'handle_conversation_turn'],
  ['gen_ai.operation.name', 'plan'],
  ['mcp.method.name', 'server/discover'],
])('%s has the value %s', (key, value) => {
  expect(REGISTRY.values[key]?.split(' ')).toContain(value)
})

test.each([
  ['gen_ai.invocation.is_nested', 'boolean'],
  ['gen_ai.usage.text.cache_read.input_tokens', 'int'],
  ['gen_ai.prompt.variable.city', 'string'],
  ['openai.request.service_tier', 'string'],
  ['server.port', 'int'],
  ['gen_ai.workflow.name', undefined],
  ['acme.mood', undefined],
])('%s is %s', (key, type) => {
  expect(conventionType(key)).toBe(type)
})
