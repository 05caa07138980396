import { SpanKind, type AttributeValue } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import * as incubating from '@opentelemetry/semantic-conventions/incubating'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { runDemoAgent } from '../../src/cli/demo/demo-agent.js'
import {
  CLOSED_VALUES,
  CONVENTION_SPANS,
  conventionType,
  FORMER_ATTRIBUTES,
  type ConventionType,
} from '../../src/mapping/conventions/index.js'
import { SCHEMA_URL } from '../../src/semconv/index.js'
import { startPlan } from '../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

/** The namespaces of the conventions, in which no other attribute may be. */
const STANDARD = /^(gen_ai|mcp)\./

const IS_OF: Readonly<Record<ConventionType, (value: AttributeValue | undefined) => boolean>> = {
  string: (value) => typeof value === 'string',
  int: (value) => Number.isSafeInteger(value),
  double: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'string[]': (value) => Array.isArray(value),
  any: (value) => value !== undefined,
}

/** Returns how a span violates the conventions, in words. */
function violations({ name, kind, attributes, events, instrumentationScope }: ReadableSpan): string[] {
  const found = [attributes, ...events.map((event) => event.attributes ?? {})].flatMap((values) =>
    Object.entries(values).flatMap(([key, value]) => {
      if (!STANDARD.test(key)) return []
      if (FORMER_ATTRIBUTES.has(key)) return `${key} is a former name`
      const type = conventionType(key)
      if (type === undefined) return `${key} is unknown`
      if (!IS_OF[type](value)) return `${key} is no ${type}`
      return CLOSED_VALUES.get(key)?.has(String(value)) === false ? `${key} is not ${String(value)}` : []
    }),
  )
  const operation = String(attributes['gen_ai.operation.name'])
  const span = CONVENTION_SPANS.get(operation)
  if (span) {
    for (const key of span.required) if (!(key in attributes)) found.push(`${key} is missing`)
    const subject = attributes[span.subject ?? '']
    const expected = subject === undefined ? operation : `${operation} ${String(subject)}`
    if (name !== expected) found.push(`the name is not "${expected}"`)
    if (!span.kinds.some((one) => SpanKind[one] === kind)) found.push(`the kind is ${SpanKind[kind]}`)
  }
  if (instrumentationScope.schemaUrl !== SCHEMA_URL) found.push('the schema URL is another')
  return found.map((fault) => `${name}: ${fault}`)
}

let sdk: InMemorySdk
beforeAll(() => {
  sdk = installSdk()
})
afterAll(() => sdk.uninstall())

/** Runs a plan with each kind of span and each option that has a standard attribute. */
function runEveryKind(): void {
  const p = startPlan({ workflow: 'w', title: 't', request: 'r', conversationId: 'c', modelName: 'm' })
  const planning = p.startPlanning({ planner: 'planner' })
  planning.startModel({ model: 'm', input: 'i' }).end()
  planning.end()
  p.startWait({ reason: 'plan_review' }).end()
  const a = p.startAgent({ name: 'a', description: 'd', request: 'r', modelName: 'm', step: 0 })
  const c = a.startCycle()
  const m = c.startModel({ model: 'm', input: [{ role: 'user', content: 'i' }], system: 's' })
  m.set({ responseModel: 'm-1', responseId: 'r-1', finishReasons: ['stop'] })
  m.usage({ inputTokens: 1, outputTokens: 2 })
  m.output('o')
  m.end()
  const g = c.startGuardrail({ name: 'g', action: { name: 'x', callId: 'x-1', arguments: { y: 1 } } })
  g.risk({ score: 0.5, isSafe: true, policies: ['p'], explanation: 'e' })
  g.end()
  const t = c.startTool({ name: 'x', callId: 'x-1', type: 'function', description: 'd', arguments: { y: 1 } })
  t.result({ z: 2 })
  t.error(new Error('e'))
  for (const span of [t, c, a, p]) span.end()
}

test('the spans of the live API follow the released conventions', async () => {
  await runDemoAgent()
  runEveryKind()
  const spans = sdk.spans()
  expect(spans.flatMap(violations)).toEqual([])
  expect(new Set(spans.map(({ attributes }) => attributes['planspan.span.kind']))).toEqual(
    new Set(['plan', 'planning', 'wait', 'agent', 'think_act', 'llm', 'guardrail', 'tool']),
  )
})

test('only tool calls look like tool calls to other readers', () => {
  const named = sdk
    .spans()
    .filter(({ attributes }) => Object.keys(attributes).some((key) => key.startsWith('gen_ai.tool.name')))
  expect(new Set(named.map(({ attributes }) => attributes['openinference.span.kind']))).toEqual(new Set(['TOOL']))
})

test('the attributes of the conventions’ last release in OpenTelemetry’s own package are known, or have a new name', () => {
  const earlier = Object.entries(incubating).flatMap(([name, key]) =>
    name.startsWith('ATTR_') && typeof key === 'string' && STANDARD.test(key) ? [key] : [],
  )
  expect(earlier.length).toBeGreaterThan(50)
  expect(earlier.filter((key) => conventionType(key) === undefined).sort()).toEqual(
    [...FORMER_ATTRIBUTES.keys()].sort(),
  )
  for (const successor of FORMER_ATTRIBUTES.values()) {
    if (successor !== undefined && STANDARD.test(successor)) expect(conventionType(successor)).toBeDefined()
  }
})
