import { diag, DiagLogLevel } from '@opentelemetry/api'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type * as Tracing from '../../src/tracing/index.js'
import type {
  AgentOptions,
  CycleOptions,
  GuardrailOptions,
  ModelOptions,
  PlanningOptions,
  PlanOptions,
  ReviewDecision,
  Risk,
  ToolOptions,
  WaitOptions,
} from '../../src/tracing/index.js'
import { installSdk, type InMemorySdk } from './in-memory-sdk.js'

type Api = typeof Tracing

let sdk: InMemorySdk
let api: Api
let warnings: string[]

// Warnings are logged once per process, so each test loads its own planspan.
beforeEach(async () => {
  vi.resetModules()
  api = await import('../../src/tracing/index.js')
  sdk = installSdk()
  warnings = []
  const say = (message: string) => warnings.push(message)
  diag.setLogger(
    { warn: say, error: say, info: say, debug: say, verbose: say },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
})
afterEach(() => {
  diag.disable()
  sdk.uninstall()
})

/** Sets the values on every span of a plan, by any names. */
function run(values: Partial<Record<string, unknown>>) {
  const given = (what: string) => (values[what] ?? {}) as never
  api.plan(given('plan'), (p) => {
    p.message(given('message'))
    p.review(given('review'))
    p.planning(given('planning'), () => undefined)
    p.wait(given('wait'), () => undefined)
    p.agent(given('agent'), (a) =>
      a.cycle(given('cycle'), (c) => {
        c.model(given('model'), (m) => m.usage(given('usage')))
        c.guardrail(given('guardrail'), (g) => g.risk(given('risk')))
        c.tool(given('tool'), () => undefined)
      }),
    )
  })
}

describe('an unknown name is counted and logged once, with the name that was probably meant', () => {
  test.each<[string, object, string, string | undefined]>([
    ['plan', { userRequest: 'x' }, 'a plan', 'request'],
    ['plan', { name: 'x' }, 'a plan', 'workflow'],
    ['plan', { plan_id: 'x' }, 'a plan', 'planId'],
    ['plan', { Title: 'x' }, 'a plan', 'title'],
    ['plan', { titel: 'x' }, 'a plan', 'title'],
    ['plan', { flavour: 'x' }, 'a plan', undefined],
    ['planning', { agentName: 'x' }, 'a planning', 'planner'],
    ['agent', { agentName: 'x' }, 'an agent', 'name'],
    ['tool', { args: {} }, 'a tool call', 'arguments'],
    ['tool', { toolName: 'x' }, 'a tool call', 'name'],
    ['tool', { tool_call_id: 'x' }, 'a tool call', 'callId'],
    ['model', { modelName: 'x' }, 'a model call', 'model'],
    ['model', { messages: [] }, 'a model call', 'input'],
    ['model', { prompt_tokens: 3 }, 'a model call', 'inputTokens'],
    ['model', { completion_tokens: 3 }, 'a model call', 'outputTokens'],
    ['guardrail', { guardrailName: 'x' }, 'a guardrail', 'name'],
    ['guardrail', { action: { args: {} } }, 'the action of a guardrail', 'arguments'],
    ['risk', { riskScore: 1 }, 'a guardrail', 'score'],
    ['review', { action: 'ACCEPT_PLAN', comment: 'x' }, 'a review', 'feedback'],
    ['message', { role: 'user', text: 'x' }, 'a message', 'content'],
    ['wait', { question: 'x' }, 'a wait', 'formDescription'],
    ['usage', { inputs: 1 }, 'the usage of a model call', 'input'],
    ['usage', { cacheCreation: 1 }, 'the usage of a model call', 'cacheWrite'],
  ])('%s %j', (what, values, subject, meant) => {
    run({ [what]: values })
    run({ [what]: values })
    expect(api.dropCounts().option).toBe(2)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(`which ${subject} does not have`)
    expect(warnings[0]).toContain(meant === undefined ? 'see its type for the valid names' : `use "${meant}"`)
    const dropped = sdk.spans().map(({ attributes }) => attributes['planspan.dropped'])
    expect(dropped.filter((count) => count !== undefined)).toEqual([1, 1])
  })

  test('an undefined value is not counted as dropped', () => {
    run({ plan: { userRequest: undefined }, tool: { args: null } })
    expect(api.dropCounts().option).toBe(0)
  })

  test('options of other functions are reported, too', () => {
    api.createManusRecorder({ session: 'x' } as never)
    api.createTrajectoryRecorder({ plan: 'x' } as never)
    api.startResume('', { reviews: {} } as never)
    api.wrapExporter({} as never, { maxBytes: 1 } as never)
    const processor = new api.PendingSpanProcessor({} as never, { heartbeat: 1 } as never)
    expect(processor.hasNews).toBe(false)
    expect(api.dropCounts().option).toBe(5)
  })

  test('every declared option is known', () => {
    const plan: Required<PlanOptions> = {
      workflow: 'w',
      planId: 'p',
      conversationId: 'c',
      title: 't',
      request: 'r',
      modelName: 'm',
      topic: 't',
      goal: 'g',
      locale: 'en',
      context: 'c',
      assumptions: ['a'],
      risks: ['r'],
      budgetTokens: 1,
      budgetCostUsd: 1,
      steps: ['s'],
      captureReturn: false,
    }
    const planning: Required<PlanningOptions> = { planner: 'p', reason: 'r' }
    const agent: Required<AgentOptions> = {
      name: 'a',
      step: 0,
      stepId: 's',
      captureReturn: false,
      description: 'd',
      request: 'r',
      maxSteps: 3,
      modelName: 'm',
      currentStep: 1,
      stuck: false,
    }
    const cycle: Required<CycleOptions> = {
      index: 0,
      actionNeeded: true,
      actionDescription: 'd',
      actionResult: 'r',
      modelContextLimit: 1,
    }
    const model: Required<ModelOptions> = {
      model: 'm',
      provider: 'p',
      responseModel: 'm',
      responseId: 'r',
      finishReasons: ['stop'],
      usageSource: 'u',
      inputTokens: 1,
      outputTokens: 1,
      input: 'i',
      system: 's',
      tools: [],
    }
    const guardrail: Required<GuardrailOptions> = { name: 'g', action: { name: 't', callId: 'c', arguments: {} } }
    const risk: Required<Risk> = {
      score: 1,
      isSafe: false,
      policies: ['p'],
      explanation: 'e',
      worldModel: { semanticDelta: 'd', elementChanges: {}, longTermImpact: 'i', optimizationGuidance: 'g' },
    }
    const tool: Required<ToolOptions> = {
      name: 't',
      callId: 'c',
      type: 'function',
      description: 'd',
      arguments: {},
      guardedBy: [],
      captureReturn: false,
    }
    const wait: Required<WaitOptions> = { reason: 'form_input', title: 't', formDescription: 'd', formInputs: [] }
    const review: Required<ReviewDecision> = { action: 'ACCEPT_PLAN', feedback: 'f', attempt: 1 }
    const usage = { input: 1, output: 1, cacheRead: 1, cacheWrite: 1, reasoning: 1 }
    const message = { role: 'user', content: 'c' }
    run({ plan, planning, agent, cycle, model, guardrail, risk, tool, wait, review, usage, message })
    expect(warnings).toEqual([])
    expect(api.dropCounts().option).toBe(0)
  })
})

describe('usage is read in the format of each provider', () => {
  const tokens = (input: number, output: number, cacheRead?: number, cacheWrite?: number, reasoning?: number) => ({
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...(cacheRead !== undefined && { 'gen_ai.usage.cache_read.input_tokens': cacheRead }),
    ...(cacheWrite !== undefined && { 'gen_ai.usage.cache_write.input_tokens': cacheWrite }),
    ...(reasoning !== undefined && { 'gen_ai.usage.reasoning.output_tokens': reasoning }),
  })
  test.each<[string, object, object]>([
    ['planspan', { input: 9, output: 4, cacheRead: 5, cacheWrite: 2, reasoning: 1 }, tokens(9, 4, 5, 2, 1)],
    [
      'OpenAI Chat Completions',
      {
        prompt_tokens: 9,
        completion_tokens: 4,
        total_tokens: 13,
        prompt_tokens_details: { cached_tokens: 5, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 1, audio_tokens: 0 },
      },
      tokens(9, 4, 5, undefined, 1),
    ],
    [
      'OpenAI Responses',
      {
        input_tokens: 9,
        input_tokens_details: { cached_tokens: 5 },
        output_tokens: 4,
        output_tokens_details: { reasoning_tokens: 1 },
        total_tokens: 13,
      },
      tokens(9, 4, 5, undefined, 1),
    ],
    [
      'Anthropic, whose input leaves out what a cache read and wrote',
      {
        input_tokens: 2,
        output_tokens: 4,
        cache_read_input_tokens: 5,
        cache_creation_input_tokens: 2,
        cache_creation: { ephemeral_5m_input_tokens: 2 },
        server_tool_use: null,
        service_tier: 'standard',
      },
      tokens(9, 4, 5, 2),
    ],
    [
      'the Claude Agent SDK, by model',
      { inputTokens: 2, outputTokens: 4, cacheReadInputTokens: 5, cacheCreationInputTokens: 2, costUSD: 0.1 },
      tokens(9, 4, 5, 2),
    ],
    [
      'OpenAI, where a cache is written to',
      { input_tokens: 9, input_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 }, output_tokens: 4 },
      tokens(9, 4, 5, 2),
    ],
    [
      'OpenRouter',
      { prompt_tokens: 9, prompt_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 }, completion_tokens: 4 },
      tokens(9, 4, 5, 2),
    ],
    [
      'LiteLLM, with what Anthropic calls the cached part of its input',
      { prompt_tokens: 9, completion_tokens: 4, cache_read_input_tokens: 5, cache_creation_input_tokens: 2 },
      tokens(9, 4, 5, 2),
    ],
    [
      'LangChain',
      {
        input_tokens: 9,
        input_token_details: { cache_read: 5, cache_creation: 2 },
        output_tokens: 4,
        output_token_details: { reasoning: 1 },
        total_tokens: 13,
      },
      tokens(9, 4, 5, 2, 1),
    ],
    [
      'Gemini, whose candidates leave out the thoughts',
      {
        promptTokenCount: 9,
        candidatesTokenCount: 3,
        thoughtsTokenCount: 1,
        cachedContentTokenCount: 5,
        totalTokenCount: 13,
        promptTokensDetails: [],
      },
      tokens(9, 4, 5, undefined, 1),
    ],
    [
      'the AI SDK 5',
      { inputTokens: 9, outputTokens: 4, totalTokens: 13, reasoningTokens: 1, cachedInputTokens: 5 },
      tokens(9, 4, 5, undefined, 1),
    ],
    [
      'the AI SDK 6',
      {
        inputTokens: 9,
        inputTokenDetails: { noCacheTokens: 2, cacheReadTokens: 5, cacheWriteTokens: 2 },
        outputTokens: 4,
        outputTokenDetails: { textTokens: 3, reasoningTokens: 1 },
      },
      tokens(9, 4, 5, 2, 1),
    ],
    ['the AI SDK 4', { promptTokens: 9, completionTokens: 4, totalTokens: 13 }, tokens(9, 4)],
    [
      'Bedrock',
      { inputTokens: 2, outputTokens: 4, totalTokens: 13, cacheReadInputTokens: 5, cacheWriteInputTokens: 2 },
      tokens(9, 4, 5, 2),
    ],
  ])('%s', (_provider, usage, expected) => {
    run({ plan: { workflow: 'w' }, model: { model: 'm' }, usage })
    const { attributes } = sdk.span('chat m')
    const reported = Object.entries(attributes).filter(([key]) => key.startsWith('gen_ai.usage.'))
    expect(Object.fromEntries(reported)).toEqual(expected)
    expect(sdk.span('invoke_workflow w').attributes['planspan.usage.total_tokens']).toBe(13)
    expect(api.dropCounts().option).toBe(0)
  })
})

describe('is logged once', () => {
  test('a second end()', () => {
    const p = api.startPlan({ workflow: 'w' })
    p.end()
    p.end()
    p.end()
    expect(warnings).toEqual([expect.stringContaining('end() was called twice on a plan')])
  })

  test('but not that a callback ended its own span, or a span that was suspended', () => {
    api.plan({}, (p) => {
      p.agent({}, (a) => a.end())
      p.startWait({ reason: 'plan_review' }).suspend()
      p.end()
    })
    expect(warnings).toEqual([])
  })

  test('that an error came after the end', () => {
    const p = api.startPlan({})
    p.end()
    p.fail(new Error('late'))
    expect(api.dropCounts().ended).toBe(1)
    expect(warnings).toEqual([expect.stringContaining('written to after its end')])
  })

  test('that there is no SDK', () => {
    sdk.uninstall()
    run({})
    run({})
    expect(warnings).toEqual([expect.stringContaining('without an OpenTelemetry SDK')])
  })

  test('that a plan did not wait for register()', async () => {
    sdk.uninstall()
    diag.disable()
    const warn = vi.spyOn(diag, 'warn').mockImplementation(() => undefined)
    const registered = api.register({ endpoint: 'http://127.0.0.1:9', serviceNam: 'x' } as never)
    api.plan({}, () => undefined)
    const { shutdown } = await registered
    const texts = warn.mock.calls.map((call) => call.join(' '))
    expect(texts).toEqual([
      expect.stringContaining('started before register() was done'),
      expect.stringContaining('use "serviceName"'),
    ])
    warn.mockRestore()
    await shutdown()
  })
})
