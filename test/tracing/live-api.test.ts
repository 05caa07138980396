import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { SCHEMA_URL } from '../../src/semconv/index.js'
import { plan, startPlan, type CycleSpan } from '../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

let sdk: InMemorySdk

beforeEach(() => {
  sdk = installSdk()
})
afterEach(() => sdk.uninstall())

const parentName = (name: string) => {
  const parentId = sdk.span(name).parentSpanContext?.spanId
  return sdk.spans().find((span) => span.spanContext().spanId === parentId)?.name
}

describe('the callback form', () => {
  test('nests spans like the tree and names them after operation and subject', async () => {
    await plan({ workflow: 'trip' }, async (p) => {
      await p.planning({ planner: 'planner' }, async (s) => s.model({ model: 'm-plan' }, () => undefined))
      await p.wait({ reason: 'plan_review' }, async (w) => w.review({ action: 'ACCEPT_PLAN' }))
      await p.agent({ name: 'researcher', step: 0 }, async (a) => {
        await a.cycle(async (c) => {
          await c.model({ model: 'm-act' }, async () => undefined)
          await c.guardrail({ name: 'safe' }, async (g) => g.model({ model: 'm-guard' }, () => undefined))
          await c.tool({ name: 'browse' }, async () => undefined)
        })
      })
    })
    const tree = Object.fromEntries(sdk.spans().map(({ name }) => [name, parentName(name)]))
    expect(tree).toEqual({
      'invoke_workflow trip': undefined,
      'plan planner': 'invoke_workflow trip',
      'chat m-plan': 'plan planner',
      wait_for_user: 'invoke_workflow trip',
      'invoke_agent researcher': 'invoke_workflow trip',
      'agent_step researcher': 'invoke_agent researcher',
      'chat m-act': 'agent_step researcher',
      'run_guardrail safe': 'agent_step researcher',
      'chat m-guard': 'run_guardrail safe',
      'execute_tool browse': 'agent_step researcher',
    })
    for (const span of sdk.spans()) {
      expect(span.kind).toBe(span.name.startsWith('chat') ? SpanKind.CLIENT : SpanKind.INTERNAL)
      expect(span.status.code).toBe(SpanStatusCode.UNSET)
    }
  })

  test('returns the result of the callback, at once or as a promise', async () => {
    expect(plan({}, () => 7)).toBe(7)
    await expect(plan({}, async () => 8)).resolves.toBe(8)
    expect(sdk.spans()).toHaveLength(2)
  })

  test('awaits any thenable, which works below the span', async () => {
    const lazy = (answer: (resolve: (value: number) => void) => void) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- what query builders answer
      then: (resolve: (value: number) => void) => {
        trace.getTracer('db').startSpan('query').end()
        answer(resolve)
      },
    })
    await expect(plan({ workflow: 'w' }, () => lazy((resolve) => setImmediate(resolve, 7)))).resolves.toBe(7)
    expect(sdk.spans().map(({ name }) => name)).toEqual(['query', 'invoke_workflow w'])
    expect(parentName('query')).toBe('invoke_workflow w')
    await expect(plan({ workflow: 'bad' }, () => lazy(() => fail()))).rejects.toThrow('no such page')
    expect(sdk.span('invoke_workflow bad').status.code).toBe(SpanStatusCode.ERROR)
  })

  test.each([
    ['thrown', () => plan({ workflow: 'w' }, () => fail())],
    ['rejected', async () => plan({ workflow: 'w' }, async () => fail())],
  ])('records a %s error on the span and rethrows it', async (_how, run) => {
    await expect(Promise.resolve().then(run)).rejects.toThrow('no such page')
    const span = sdk.span('invoke_workflow w')
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'no such page' })
    expect(span.attributes).toMatchObject({
      'error.type': 'RangeError',
      'planspan.error.message': 'no such page',
      'planspan.state': 'failed',
    })
    expect(span.events).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'RangeError', 'exception.message': 'no such page' } },
    ])
  })

  test.each([
    ['a text', 'no money', '_OTHER', 'no money'],
    ['plain data', { code: 402, reason: 'no money' }, '_OTHER', '{"code":402,"reason":"no money"}'],
    ['nothing', undefined, '_OTHER', undefined],
    ['an error without a message', new TypeError(), 'TypeError', undefined],
    ['an error that can’t be read', new Proxy({}, { get: () => fail() }), '_OTHER', '{}'],
  ])('describes %s that was thrown', (_what, thrown, type, message) => {
    const p = startPlan({ workflow: 'w' })
    p.fail(thrown)
    expect(sdk.span('invoke_workflow w').attributes['error.type']).toBe(type)
    expect(sdk.span('invoke_workflow w').attributes['planspan.error.message']).toBe(message)
  })

  test('records the causes of an error', () => {
    const p = startPlan({ workflow: 'w' })
    const circular = new Error('connect ECONNREFUSED')
    circular.cause = circular
    p.fail(new TypeError('fetch failed', { cause: circular }))
    const stacktrace = sdk.span('invoke_workflow w').events[0]?.attributes?.['exception.stacktrace']
    expect(stacktrace).toMatch(/^TypeError: fetch failed\n[^]*\nCaused by: Error: connect ECONNREFUSED\n/)
  })

  test('makes a plan inside a tool call its sub-plan', async () => {
    await plan({ workflow: 'outer', planId: 'p-1', conversationId: 'conv' }, (p) =>
      p.agent({ name: 'a' }, (a) =>
        a.cycle((c) =>
          c.tool({ name: 'delegate', callId: 'call-7' }, () =>
            plan({ workflow: 'inner', planId: 'p-2' }, (s) => s.agent({ name: 'b' }, () => undefined)),
          ),
        ),
      ),
    )
    expect(parentName('invoke_workflow inner')).toBe('execute_tool delegate')
    const ids = {
      'planspan.plan.id': 'p-2',
      'planspan.plan.root_id': 'p-1',
      'gen_ai.conversation.id': 'conv',
    }
    expect(sdk.span('invoke_workflow inner').attributes).toMatchObject({
      ...ids,
      'planspan.plan.parent_id': 'p-1',
      'planspan.plan.parent_tool_call_id': 'call-7',
      'planspan.seq': 0,
    })
    expect(sdk.span('invoke_agent b').attributes).toMatchObject(ids)
    expect(sdk.span('execute_tool delegate').attributes).toMatchObject({
      'planspan.plan.id': 'p-1',
      'planspan.children.plan': 1,
    })
  })

  test('puts the agent’s name on all of its spans, and its workflow’s on a plan', async () => {
    await plan({ workflow: 'outer' }, (p) =>
      p.agent({ name: 'a' }, (a) =>
        a.cycle(async (c) => {
          await c.guardrail({ name: 'g' }, (g) => g.model({ model: 'm' }, () => undefined))
          await c.tool({ name: 'delegate' }, (t) => {
            t.wait({ reason: 'tool_approval' }, () => undefined)
            return plan({ workflow: 'inner' }, (s) =>
              s.agent({ name: 'b' }, (b) => b.cycle((d) => d.tool({ name: 't' }, () => 1))),
            )
          })
        }),
      ),
    )
    const agents = Object.fromEntries(
      sdk.spans().map(({ name, attributes }) => [name, attributes['gen_ai.agent.name']]),
    )
    expect(agents).toEqual({
      'invoke_workflow outer': 'outer',
      'invoke_agent a': 'a',
      'agent_step a': 'a',
      'run_guardrail g': 'a',
      'chat m': 'a',
      'execute_tool delegate': 'a',
      wait_for_user: 'a',
      'invoke_workflow inner': 'inner',
      'invoke_agent b': 'b',
      'agent_step b': 'b',
      'execute_tool t': 'b',
    })
  })

  test('replaces an id that is not valid UTF-8 in the same way everywhere', () => {
    const bad = '\uD800'
    plan({ workflow: 'outer', planId: `p${bad}`, conversationId: bad }, (p) => {
      expect(p.planId).toBe('p\uFFFD')
      p.agent({ name: bad, stepId: bad }, (a) => {
        expect(a.stepId).toBe('\uFFFD')
        a.cycle((c) => c.tool({ name: 't', callId: bad }, () => plan({ workflow: 'inner' }, () => undefined)))
      })
    })
    expect(sdk.span('invoke_workflow inner').attributes).toMatchObject({
      'planspan.plan.root_id': 'p\uFFFD',
      'planspan.plan.parent_id': 'p\uFFFD',
      'planspan.plan.parent_tool_call_id': '\uFFFD',
      'gen_ai.conversation.id': '\uFFFD',
    })
    expect(sdk.span('execute_tool t').attributes['gen_ai.tool.call.id']).toBe('\uFFFD')
  })

  test('generates an id for a call without one when a sub-plan needs it', () => {
    plan({}, (p) =>
      p.agent({}, (a) => a.cycle((c) => c.tool({ name: 't' }, () => plan({ workflow: 'sub' }, () => undefined)))),
    )
    const callId = sdk.span('execute_tool t').attributes['gen_ai.tool.call.id']
    expect(callId).toMatch(/^call-/)
    expect(sdk.span('invoke_workflow sub').attributes['planspan.plan.parent_tool_call_id']).toBe(callId)
  })

  test('keeps foreign spans in the tree and adds the plan’s ids and their position to them', () => {
    const tracer = trace.getTracer('http')
    plan({ workflow: 'w', planId: 'p-9' }, (p) =>
      tracer.startActiveSpan('GET /', (span) => {
        p.agent({ name: 'a' }, () => tracer.startSpan('query').end())
        span.end()
      }),
    )
    expect(parentName('invoke_agent a')).toBe('GET /')
    expect(parentName('query')).toBe('invoke_agent a')
    const ids = { 'planspan.plan.id': 'p-9', 'planspan.plan.root_id': 'p-9' }
    expect(sdk.span('GET /').attributes).toEqual({ ...ids, 'planspan.within': 'plan' })
    expect(sdk.span('query').attributes).toEqual({ ...ids, 'planspan.within': 'agent' })
  })

  test('records the return value of a tool’s callback as the result', async () => {
    const results = { text: 'as it is', data: { rows: [1] }, none: undefined, nothing: null }
    await plan({}, (p) =>
      p.agent({}, (a) =>
        a.cycle(async (c) => {
          for (const [name, result] of Object.entries(results)) await c.tool({ name }, async () => result)
          await c.tool({ name: 'own', arguments: { q: 'é' } }, async (t) => {
            t.result('set')
            return 'returned'
          })
        }),
      ),
    )
    const result = (name: string) => sdk.span(`execute_tool ${name}`).attributes['gen_ai.tool.call.result']
    expect(result('text')).toBe('as it is')
    expect(result('data')).toBe('{"rows":[1]}')
    expect(result('none')).toBeUndefined()
    expect(result('nothing')).toBe('null')
    expect(result('own')).toBe('set')
    expect(sdk.span('execute_tool own').attributes['gen_ai.tool.call.arguments']).toBe('{"q":"é"}')
  })

  describe('records what the callbacks of a plan and an agent return', () => {
    const message = (text: string) => JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }])
    const ANSWERS: readonly [
      unknown,
      { readonly summary?: string; readonly plan?: string; readonly agent?: string },
    ][] = [
      ['three museums', { summary: 'three museums', agent: message('three museums') }],
      ['', { summary: '', agent: message('') }],
      [{ rows: [1] }, { plan: message('{"rows":[1]}'), agent: message('{"rows":[1]}') }],
      [false, { plan: message('false'), agent: message('false') }],
      [undefined, {}],
      [null, {}],
      [new URL('http://localhost'), {}],
      [() => 'later', {}],
    ]
    test.each(ANSWERS)('%j', async (value, { summary, plan: result, agent }) => {
      await plan({ workflow: 'w' }, (p) => p.agent({ name: 'a' }, async () => value))
      const { attributes } = sdk.span('invoke_workflow w')
      expect(attributes['planspan.plan.summary']).toBe(summary)
      expect(attributes['gen_ai.output.messages']).toBe(result)
      expect(sdk.span('invoke_agent a').attributes['gen_ai.output.messages']).toBe(agent)
    })

    test('unless the code states another answer, or wants none', async () => {
      await plan({ workflow: 'w' }, async (p) => {
        await p.agent({ name: 'a', captureReturn: false }, async () => 'secret')
        p.result({ stated: true })
        return 'returned'
      })
      expect(sdk.span('invoke_agent a').attributes['gen_ai.output.messages']).toBeUndefined()
      expect(sdk.span('invoke_workflow w').attributes).not.toHaveProperty(['planspan.plan.summary'])
      expect(sdk.span('invoke_workflow w').attributes['gen_ai.output.messages']).toBe(message('{"stated":true}'))
    })
  })
})

describe('the handle form', () => {
  test('nests by handle, not by the active context', () => {
    const p = startPlan({ workflow: 'w' })
    const a = p.startAgent({ name: 'a' })
    const c = a.startCycle()
    const t = c.startTool({ name: 't' })
    const sub = startPlan({ workflow: 'sub' }, t.context)
    for (const span of [sub, t, c, a, p]) span.end()
    expect(parentName('execute_tool t')).toBe('agent_step a')
    expect(parentName('invoke_workflow sub')).toBe('execute_tool t')
    expect(parentName('invoke_agent a')).toBe('invoke_workflow w')
  })

  test('ends once and ignores later calls', () => {
    const p = startPlan({ workflow: 'w' })
    p.end()
    p.fail(new Error('late'))
    p.summary('late')
    p.end()
    expect(sdk.spans()).toHaveLength(1)
    expect(sdk.span('invoke_workflow w').status.code).toBe(SpanStatusCode.UNSET)
    expect(sdk.span('invoke_workflow w').attributes['planspan.plan.summary']).toBeUndefined()
  })

  test('passes its context to other instrumentation', () => {
    const p = startPlan({ workflow: 'w' })
    context.with(p.context, () => trace.getTracer('x').startSpan('inner').end())
    p.end()
    expect(parentName('inner')).toBe('invoke_workflow w')
  })
})

test('siblings of a role are numbered and counted', () => {
  plan({ workflow: 'w' }, (p) => {
    p.agent({ name: 'a' }, (a) => {
      a.cycle(() => undefined)
      a.cycle((c) => c.tool({ name: 't' }, () => undefined))
    })
    p.wait({}, () => undefined)
    p.agent({ name: 'b' }, () => undefined)
    p.startAgent({ name: 'never ended' })
  })
  expect(sdk.span('invoke_agent b').attributes['planspan.seq']).toBe(1)
  expect(sdk.span('wait_for_user').attributes['planspan.seq']).toBe(0)
  expect(sdk.span('invoke_workflow w').attributes).toMatchObject({
    'planspan.children.agent': 3,
    'planspan.children.wait': 1,
  })
  expect(sdk.span('invoke_agent a').attributes).toMatchObject({
    'planspan.children.think_act': 2,
    'planspan.agent.current_step': 2,
    'planspan.agent.completed': true,
  })
  const cycles = sdk.spans().filter(({ name }) => name === 'agent_step a')
  expect(cycles.map(({ attributes }) => attributes['planspan.step.index'])).toEqual([0, 1])
})

test('spans have planspan, its version and its conventions as their scope', () => {
  plan({ workflow: 'w' }, () => undefined)
  expect(sdk.span('invoke_workflow w').instrumentationScope).toEqual({
    name: 'planspan',
    version: packageJson.version,
    schemaUrl: SCHEMA_URL,
  })
})

test('usage is recorded on the model call and rolls up into the plans above', () => {
  plan({ workflow: 'outer' }, (p) => {
    p.planning({}, (s) => s.model({ model: 'm' }, (m) => m.usage({ input: 100, output: 10 })))
    p.agent({}, (a) =>
      a.cycle((c) =>
        c.tool({ name: 't' }, () =>
          plan({ workflow: 'inner' }, (s) =>
            s.planning({}, (i) =>
              i.model({ model: 'i' }, (m) => {
                m.usage({ input: 1, output: 1 })
                m.usage({ input: 7, output: 3, cacheRead: 5, cacheWrite: 2, reasoning: 1 })
              }),
            ),
          ),
        ),
      ),
    )
  })
  expect(sdk.span('chat i').attributes).toMatchObject({
    'gen_ai.usage.input_tokens': 7,
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.usage.cache_read.input_tokens': 5,
    'gen_ai.usage.cache_write.input_tokens': 2,
    'gen_ai.usage.reasoning.output_tokens': 1,
  })
  const rollUp = (name: string) => [
    sdk.span(name).attributes['planspan.usage.input_tokens'],
    sdk.span(name).attributes['planspan.usage.output_tokens'],
    sdk.span(name).attributes['planspan.usage.total_tokens'],
  ]
  expect(rollUp('invoke_workflow inner')).toEqual([7, 3, 10])
  expect(rollUp('invoke_workflow outer')).toEqual([107, 13, 120])
})

test.each<[string, (cycle: CycleSpan) => void]>([
  ['as usage', (c) => c.model({}, (m) => m.usage({ input: 7, output: 3 }))],
  ['as values', (c) => c.model({}, (m) => m.set({ inputTokens: 7, outputTokens: 3 }))],
  ['as options', (c) => c.model({ inputTokens: 7, outputTokens: 3 }, () => undefined)],
  ['by halves', (c) => c.model({ inputTokens: 7 }, (m) => m.usage({ output: 3 }))],
  ['as big integers', (c) => c.model({}, (m) => m.set({ inputTokens: 7n, outputTokens: 3n } as object))],
  [
    'again and again',
    (c) =>
      c.model({ inputTokens: 1 }, (m) => {
        m.usage({ input: 70, output: 30 })
        m.set({ inputTokens: 7 })
        m.set({ inputTokens: 7, outputTokens: 3 })
        m.set({ inputTokens: 'many', outputTokens: 1.5 } as object)
      }),
  ],
  [
    'after the end, too',
    (c) => {
      const m = c.startModel()
      m.usage({ input: 7, output: 3 })
      m.end()
      m.set({ inputTokens: 70 })
    },
  ],
])('tokens reported %s count once towards the plan, with the last values', (_how, record) => {
  plan({ workflow: 'w' }, (p) => p.agent({}, (a) => a.cycle(record)))
  const { attributes } = sdk.span('chat')
  const total = sdk.span('invoke_workflow w').attributes
  expect([attributes['gen_ai.usage.input_tokens'], attributes['gen_ai.usage.output_tokens']]).toEqual([7, 3])
  expect([total['planspan.usage.input_tokens'], total['planspan.usage.output_tokens']]).toEqual([7, 3])
})

test('steps may be objects, whose other values stay with them until a list of texts replaces them', () => {
  const p = startPlan({ steps: [{ id: 'a', title: 'look' }, 'book'], goal: 'Rome', budgetTokens: 8000 })
  p.update({ steps: [{ id: 'b', description: 'pay', status: 'pending' }] })
  p.update({ steps: ['fly'] })
  p.end()
  const [first, second] = sdk.spans().filter(({ name }) => name === 'plan')
  expect(first!.attributes).toMatchObject({
    'planspan.plan.steps': ['pay'],
    'planspan.plan.steps_json': '[{"id":"b","description":"pay","status":"pending"}]',
  })
  expect(second!.attributes).not.toHaveProperty(['planspan.plan.steps_json'])
  expect(sdk.span('invoke_workflow').attributes).toMatchObject({
    'planspan.plan.steps': ['fly'],
    'planspan.plan.steps_json': '[]',
    'planspan.plan.goal': 'Rome',
    'planspan.budget.tokens': 8000,
  })
})

test('planning and updates keep the latest steps on the plan and count revisions', () => {
  plan({ workflow: 'w' }, (p) => {
    p.planning({ planner: 'planner' }, (s) => s.steps(['a', 'b']))
    p.update({ steps: ['a', { do: 'c' }], reason: 'b is done' })
  })
  const root = sdk.span('invoke_workflow w')
  expect(root.attributes).toMatchObject({ 'planspan.plan.steps': ['a', '{"do":"c"}'], 'planspan.plan.revision': 2 })
  expect(root.events.map(({ name, attributes }) => [name, attributes])).toEqual([
    ['planspan.plan.created', { 'planspan.plan.revision': 1 }],
    ['planspan.plan.updated', { 'planspan.plan.revision': 2, 'planspan.plan_update.reason': 'b is done' }],
  ])
  expect(sdk.span('plan planner').attributes).toMatchObject({
    'planspan.plan.steps': ['a', 'b'],
    'planspan.plan.revision': 1,
  })
  expect(sdk.span('plan').attributes).toMatchObject({
    'planspan.plan.revision': 2,
    'planspan.plan_update.reason': 'b is done',
  })
})

test('a review is recorded on the wait, in the plan’s log and as an event', () => {
  plan({ workflow: 'w', planId: 'p' }, (p) => {
    p.wait({ reason: 'plan_review', title: 'Plan', formInputs: [{ label: 'ok?' }] }, (w) =>
      w.review({ action: 'REQUEST_CHANGES', feedback: 'shorter' }, 'ada'),
    )
    p.review({ action: 'ACCEPT_PLAN' })
  })
  expect(sdk.span('wait_for_user').attributes).toMatchObject({
    'planspan.wait.reason': 'plan_review',
    'planspan.wait.plan_id': 'p',
    'planspan.wait.form_inputs': '[{"label":"ok?"}]',
    'planspan.wait.waiting': false,
    'planspan.wait.resolution': 'refused',
    'planspan.wait.actor': 'ada',
    'planspan.review.attempt': 1,
    'planspan.review.action': 'REQUEST_CHANGES',
    'planspan.review.feedback': 'shorter',
    'planspan.state': 'cancelled',
  })
  const root = sdk.span('invoke_workflow w')
  expect(JSON.parse(String(root.attributes['planspan.review.log']))).toEqual([
    { attempt: 1, action: 'REQUEST_CHANGES', feedback: 'shorter' },
    { attempt: 2, action: 'ACCEPT_PLAN' },
  ])
  expect(root.attributes).toMatchObject({
    'planspan.review.count': 2,
    'planspan.review.final_action': 'ACCEPT_PLAN',
    'planspan.wait.waiting': false,
    'planspan.state': 'completed',
  })
  const reported = root.events.filter(({ name }) => name === 'planspan.review').map(({ attributes }) => attributes)
  expect(reported).toEqual([
    {
      'planspan.review.attempt': 1,
      'planspan.review.action': 'REQUEST_CHANGES',
      'planspan.review.feedback': 'shorter',
      'planspan.wait.actor': 'ada',
    },
    { 'planspan.review.attempt': 2, 'planspan.review.action': 'ACCEPT_PLAN' },
  ])
})

test('an ABORT cancels the plan, without an error', () => {
  plan({ workflow: 'w' }, (p) => p.review({ action: 'ABORT' }))
  expect(sdk.span('invoke_workflow w').attributes['planspan.state']).toBe('cancelled')
  expect(sdk.span('invoke_workflow w').status.code).toBe(SpanStatusCode.UNSET)
})

test('an expired wait is no error', () => {
  plan({}, (p) => p.wait({ reason: 'form_input' }, (w) => w.answer({ resolution: 'expired' })))
  expect(sdk.span('wait_for_user').status.code).toBe(SpanStatusCode.UNSET)
  expect(sdk.span('wait_for_user').attributes['planspan.wait.resolution']).toBe('expired')
})

test('a risk is recorded on the guardrail span, and as an evaluation event on the cycle; the guarded call links to it', async () => {
  await plan({}, (p) =>
    p.agent({}, (a) =>
      a.cycle(async (c) => {
        const guard = await c.guardrail({ name: 'safe' }, async (g) => {
          g.risk({
            score: 0.25,
            isSafe: true,
            policies: ['P1'],
            explanation: 'harmless',
            worldModel: { semanticDelta: 'opens a page', elementChanges: { added: ['#x'] } },
          })
          return g
        })
        await c.tool({ name: 't', guardedBy: guard }, async () => undefined)
      }),
    ),
  )
  const guardrail = sdk.span('run_guardrail safe')
  expect(guardrail.attributes).toMatchObject({
    'planspan.risk.score': 0.25,
    'planspan.risk.is_safe': true,
    'planspan.risk.violated_policy_ids': ['P1'],
    'planspan.world_model.semantic_delta': 'opens a page',
    'planspan.world_model.element_changes': '{"added":["#x"]}',
  })
  expect(guardrail.events).toEqual([])
  expect(sdk.span('agent_step').events).toMatchObject([
    {
      name: 'gen_ai.evaluation.result',
      attributes: {
        'gen_ai.evaluation.name': 'risk',
        'gen_ai.evaluation.score.value': 0.25,
        'gen_ai.evaluation.score.label': 'safe',
        'gen_ai.evaluation.explanation': 'harmless',
      },
    },
  ])
  expect(sdk.span('execute_tool t').links).toEqual([
    { context: guardrail.spanContext(), attributes: { 'planspan.link.type': 'guards' } },
  ])
})

test('text and chat messages become GenAI messages', () => {
  plan({ request: 'Plan a trip' }, (p) =>
    p.planning({}, (s) =>
      s.model(
        {
          model: 'm',
          input: [
            { role: 'system', content: 'Be brief' },
            { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
          ],
        },
        (m) => m.output('Hello'),
      ),
    ),
  )
  const messages = (name: string, key: string) => JSON.parse(String(sdk.span(name).attributes[key])) as unknown
  expect(messages('invoke_workflow', 'gen_ai.input.messages')).toEqual([
    { role: 'user', parts: [{ type: 'text', content: 'Plan a trip' }] },
  ])
  expect(messages('chat m', 'gen_ai.input.messages')).toEqual([
    { role: 'system', parts: [{ type: 'text', content: 'Be brief' }] },
    { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
  ])
  expect(messages('chat m', 'gen_ai.output.messages')).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'Hello' }] },
  ])
})

test('a message is an event of the plan', () => {
  plan({ workflow: 'w' }, (p) => p.message({ role: 'user', content: 'hurry' }))
  expect(sdk.span('invoke_workflow w').events).toMatchObject([
    { name: 'planspan.message', attributes: { 'planspan.message.role': 'user', 'planspan.message.content': 'hurry' } },
  ])
})

function fail(): never {
  throw new RangeError('no such page')
}
