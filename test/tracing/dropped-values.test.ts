import { context, diag, DiagLogLevel, trace, type TracerProvider } from '@opentelemetry/api'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dropCounts, plan, startPlan } from '../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

let sdk: InMemorySdk

beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

const cyclic = () => {
  const value: Record<string, unknown> = { kept: 1 }
  value['self'] = value
  return value
}
const throwing = {
  kept: 1,
  get broken(): never {
    throw new Error('getter')
  },
}
const nested = (depth: number) => {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = [value]
  return value
}
const hostile: Record<string, unknown> = new Proxy(
  {},
  {
    get: () => {
      throw new Error('get')
    },
    ownKeys: () => {
      throw new Error('keys')
    },
    has: () => {
      throw new Error('has')
    },
  },
)

describe('values that attributes cannot hold', () => {
  test.each([
    ['a bigint', 10n ** 20n, '100000000000000000000', undefined],
    ['a nested bigint', { n: 1n }, '{"n":"1"}', undefined],
    ['a cycle', cyclic(), '{"kept":1}', 1],
    ['a getter that throws', throwing, '{"kept":1}', 1],
    ['a map', new Map([['a', { n: 1 }]]), '{"a":{"n":1}}', undefined],
    ['a map with keys that are no text', new Map([[1, 'a']]), '[[1,"a"]]', undefined],
    ['a set', { tags: new Set(['a', 'b']) }, '{"tags":["a","b"]}', undefined],
    ['an error', new TypeError('no', { cause: 'x' }), '{"name":"TypeError","message":"no","cause":"x"}', undefined],
    ['bytes', { image: Buffer.from('abc') }, '{"image":"YWJj"}', undefined],
    ['an array of bytes', new Uint8Array([97, 98, 99]), '"YWJj"', undefined],
    ['numbers in an array of their own', { at: new Float64Array([0.5, 2]) }, '{"at":[0.5,2]}', undefined],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}', undefined],
    [
      'an instance of a class',
      new (class {
        readonly kept = 1n
      })(),
      '{"kept":"1"}',
      undefined,
    ],
    ['a toJSON that throws', { kept: 1, bad: { toJSON: () => hostile['x'] } }, '{"kept":1}', 1],
    ['a stream', { kept: 1, body: new ReadableStream() }, '{"kept":1}', 1],
    ['a generator', (function* () {})(), undefined, 1],
    ['a promise', { kept: 1, later: Promise.resolve() }, '{"kept":1}', 1],
    ['data too deep to be read again', nested(1_500), `${'['.repeat(201)}null${']'.repeat(201)}`, 1],
    ['a function', () => 1, undefined, 1],
    ['a symbol', Symbol('s'), undefined, 1],
    ['a hostile proxy', hostile, undefined, 1],
    ['a lone surrogate', '\uD800x', '\uFFFDx', undefined],
  ])('%s', (_what, value, carried, dropped) => {
    plan({}, (p) => p.agent({}, (a) => a.cycle((c) => c.tool({ name: 't', arguments: value }, () => undefined))))
    const { attributes } = sdk.span('execute_tool t')
    expect(attributes['gen_ai.tool.call.arguments']).toBe(carried)
    expect(attributes['planspan.dropped']).toBe(dropped)
  })

  test('malformed token counts are dropped and counted', () => {
    const before = dropCounts().value
    plan({ workflow: 'w' }, (p) =>
      p.planning({}, (s) => s.model({ model: 'm' }, (m) => m.usage({ input: Number.NaN, output: 1.5, cacheRead: 3 }))),
    )
    expect(sdk.span('chat m').attributes).toMatchObject({
      'gen_ai.usage.cache_read.input_tokens': 3,
      'planspan.dropped': 2,
    })
    expect(dropCounts().value - before).toBe(2)
  })

  test('a risk score that is not a JSON number is sent as text', () => {
    plan({}, (p) =>
      p.agent({}, (a) => a.cycle((c) => c.guardrail({ name: 'g' }, (g) => g.risk({ score: Number.NaN })))),
    )
    expect(sdk.span('run_guardrail g').attributes['planspan.risk.score']).toBe('NaN')
  })
})

test('drops are logged once per kind', async () => {
  vi.resetModules()
  const { countDrop, dropCounts } = await import('../../src/tracing/drops.js')
  const said: string[] = []
  const say = (message: string) => said.push(message)
  diag.setLogger({ warn: say, error: say, info: say, debug: say, verbose: say }, DiagLogLevel.WARN)
  countDrop('value', 'a')
  countDrop('value', 'b', 2)
  countDrop('queue', 'c')
  diag.disable()
  expect(said).toEqual([expect.stringContaining('dropped a'), expect.stringContaining('dropped c')])
  expect(dropCounts()).toMatchObject({ value: 3, queue: 1 })
})

test('values dropped by the SDK’s limits are counted', () => {
  sdk.uninstall()
  sdk = installSdk({ spanLimits: { eventCountLimit: 1 } })
  const before = dropCounts().limit
  plan({ workflow: 'w' }, (p) => {
    p.message({ role: 'user', content: 'one' })
    p.message({ role: 'user', content: 'two' })
  })
  expect(dropCounts().limit - before).toBe(1)
  expect(sdk.span('invoke_workflow w').attributes['planspan.dropped']).toBe(1)
})

test('values truncated by the SDK’s limits are counted', () => {
  sdk.uninstall()
  sdk = installSdk({ spanLimits: { attributeValueLengthLimit: 50 } })
  const before = dropCounts().limit
  plan({ workflow: 'w', title: 'x'.repeat(51) }, (p) => {
    p.planning({}, (s) => s.model({ model: 'm', finishReasons: ['short', 'y'.repeat(60)] }, () => undefined))
    p.summary('z'.repeat(50))
  })
  expect(dropCounts().limit - before).toBe(2)
  expect(sdk.span('invoke_workflow w').attributes['planspan.dropped']).toBe(1)
  expect(sdk.span('chat m').attributes['planspan.dropped']).toBe(1)
})

const hostileValues: readonly (() => unknown)[] = [
  cyclic,
  () => throwing,
  () => hostile,
  () => () => 1,
  () => Symbol('s'),
  () => [hostile],
  () => ({ name: hostile, steps: [throwing] }),
]
const plainValues = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withTypedArray: true,
})
const anything: fc.Arbitrary<() => unknown> = fc.oneof(
  plainValues.map((value) => () => value),
  fc.constantFrom(...hostileValues),
)

/** Calls every method of the API with a value of any type, regardless of the declared types. */
function callEverything(value: never): string {
  return plan(value, (p) => {
    p.set(value)
    p.summary(value)
    p.result(value)
    p.update(value)
    p.update({ steps: value, reason: value })
    p.review(value)
    p.review({ action: value, feedback: value, attempt: value })
    p.message(value)
    p.message({ role: value, content: value })
    p.planning(value, (s) => {
      s.steps(value)
      s.model(value, (m) => {
        m.set(value)
        m.input(value)
        m.output(value)
        m.usage(value)
        m.usage({ input: value, output: value, cacheRead: value })
      })
    })
    p.wait(value, (w) => {
      w.set(value)
      w.answer(value)
      w.review(value, value)
      w.review({ action: value, feedback: value }, value)
    })
    p.agent({ name: value, step: value, stepId: value, request: value }, (a) => {
      a.set(value)
      a.result(value)
      a.startCycle(value).end()
      a.cycle((c) => {
        c.set(value)
        const g = c.guardrail(value, (g) => {
          g.risk(value)
          g.risk({ score: value, isSafe: value, policies: value, explanation: value, worldModel: value })
          return g
        })
        c.startTool(value).fail(value)
        c.tool({ name: value, callId: value, arguments: value, guardedBy: value }, (t) => t.result(value))
        c.tool({ name: 't', guardedBy: [g, value] }, () => value)
      })
      a.error(value)
      a.end()
      a.set(value)
      a.fail(value)
    })
    p.cancel()
    p.error(value)
    return 'done'
  })
}

describe('nothing throws into the agent', () => {
  test('any value in any place', () => {
    expect.assertions(1)
    const law = fc.property(anything, (make) => callEverything(make() as never) === 'done')
    expect(fc.check(law, { numRuns: 300 }).failed).toBe(false)
  })

  test('a callback without options, which JavaScript permits, still runs', () => {
    const run = plan as unknown as (fn: (p: Record<string, (fn?: unknown) => unknown>) => unknown) => unknown
    const answer = run((p) => p['agent']!((a: typeof p) => a['cycle']!((c: typeof p) => c['tool']!(() => 'found'))))
    expect(answer).toBe('found')
    expect(run((p) => p['agent']!())).toBeUndefined()
    expect(sdk.spans().map(({ name }) => name)).toEqual([
      'execute_tool',
      'agent_step',
      'invoke_agent',
      'invoke_workflow',
      'invoke_agent',
      'invoke_workflow',
    ])
  })

  const broken = () => {
    throw new Error('broken SDK')
  }
  test.each<[string, unknown]>([
    ['a provider that throws', { getTracer: broken }],
    ['a tracer that throws', { getTracer: () => ({ startSpan: broken, startActiveSpan: broken }) }],
    ['spans that throw', { getTracer: () => ({ startSpan: () => new Proxy({}, { get: () => broken }) }) }],
  ])('not with %s', (_what, provider) => {
    trace.disable()
    trace.setGlobalTracerProvider(provider as TracerProvider)
    expect(callEverything('x' as never)).toBe('done')
  })

  test('not with a context manager that throws', () => {
    context.disable()
    context.setGlobalContextManager({
      active: broken,
      with: broken,
      bind: broken,
      enable: broken,
      disable: () => undefined as never,
    })
    expect(callEverything('x' as never)).toBe('done')
    const tools = sdk.spans().filter(({ name }) => name.startsWith('execute_tool'))
    expect(tools.every(({ parentSpanContext }) => parentSpanContext)).toBe(true)
    trace.disable()
  })

  test('not without any SDK', () => {
    sdk.uninstall()
    expect(callEverything('x' as never)).toBe('done')
    expect(startPlan({}).planId).toMatch(/^plan-/)
  })
})
