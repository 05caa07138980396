import { ATTR, EVENTS, type State } from '../semconv/index.js'
import { draft, type EventDraft, type SpanDraft } from '../mapping/index.js'
import type { Clock, Random } from './random.js'
import { modelCall, failed, type Usage } from './live-model-call.js'
import { MODELS, POLICIES, type Scenario, type ScenarioAgent, type ScenarioTool } from './scenario.js'

interface LiveAgentsStart {
  readonly random: Random
  readonly clock: Clock
  readonly scenario: Scenario
  readonly subject: string
  readonly planId: string
  readonly rootPlanId: string
  readonly usage: Usage
}

/**
 * How a plan ends, apart from errors of its tools: it completes, it waits for a person who does not answer, a reviewer
 * stops it, its process is terminated, or a tool fails for good.
 */
export type Course = 'done' | 'waits' | 'refused' | 'killed' | 'fails'

const MAX_ATTEMPTS = 3

/** The agents of a plan, which work one after the other. */
export class LiveAgents {
  readonly drafts: SpanDraft[] = []
  /** The error of the last agent that failed. */
  error: readonly [string, string] | undefined
  readonly #start: LiveAgentsStart
  #calls = 0

  constructor(start: LiveAgentsStart) {
    this.#start = start
  }

  get count(): number {
    return this.drafts.length
  }

  /** Runs an agent on its step. Returns its state. */
  run(agent: ScenarioAgent, index: number, course: Course): State {
    const { random, clock, planId, subject } = this.#start
    const start = clock.nanos
    const cycles: SpanDraft[] = []
    const wanted = random.integer(1, 5)
    let state: State = 'completed'
    let attempts = 0
    let tool = random.pick(agent.tools)
    while ((cycles.length < wanted || attempts > 0) && state === 'completed') {
      const isLast = cycles.length >= wanted - 1
      const { cycle, ending } = this.#cycle(agent, tool, cycles.length, isLast || course === 'fails' ? course : 'done')
      cycles.push(cycle)
      if (ending === 'failed') {
        attempts++
        if (attempts === MAX_ATTEMPTS) state = 'failed'
      } else {
        if (ending !== 'completed') state = ending
        attempts = 0
        tool = random.pick(agent.tools)
      }
    }
    if (state === 'failed') this.error = tool.error
    this.drafts.push(
      draft(
        'agent',
        {
          name: agent.name,
          description: agent.task,
          stepId: `${planId}-step-${String(index)}`,
          stepIndex: index,
          request: `${agent.task}: ${subject}`,
          maxSteps: 8,
          currentStep: cycles.length,
          modelName: agent.model.name,
          ...(state === 'running' || state === 'waiting' ? {} : { completed: state === 'completed' }),
          ...(state === 'completed' ? { result: `${agent.task}: done for ${subject}.` } : {}),
        },
        {
          subject: agent.name,
          every: { ...(state === 'failed' ? failed(this.error) : {}), state },
          start,
          end: clock.nanos,
          children: cycles,
        },
      ),
    )
    return state
  }

  #cycle(agent: ScenarioAgent, tool: ScenarioTool, index: number, course: Course): { cycle: SpanDraft; ending: State } {
    const { random, clock, scenario, subject, usage } = this.#start
    const start = clock.nanos
    const children: SpanDraft[] = []
    const input = `${agent.task} for the request about ${subject}. What was found so far: ${String(index)} results.`
    const output = `I call ${tool.name} next.`
    const thought = modelCall({ random, clock, model: agent.model, median: 1600, usage, input, output })
    let ending: State = 'completed'
    if (thought) children.push(thought)
    const judged = scenario.guarded && !clock.isOver ? this.#guardrail(tool) : undefined
    if (judged) children.push(judged.guardrail)
    if (!clock.isOver && judged?.isStopped !== true) {
      const call = this.#call(tool, course)
      children.push(call.draft)
      ending = call.ending
    }
    if (clock.isOver) ending = 'running'
    const state = ending === 'running' || ending === 'waiting' || ending === 'interrupted' ? ending : 'completed'
    const cycle = draft(
      'think_act',
      { index, actionNeeded: true, actionDescription: `Call ${tool.name}` },
      {
        subject: agent.name,
        every: { state: ending === 'failed' ? 'failed' : state, ...(ending === 'failed' ? failed(tool.error) : {}) },
        start,
        end: clock.nanos,
        events: judged ? [judged.event] : [],
        children,
      },
    )
    return { cycle, ending }
  }

  #call(tool: ScenarioTool, course: Course): { draft: SpanDraft; ending: State } {
    const { random, clock, subject, planId } = this.#start
    const start = clock.nanos
    const callId = `call-${planId.slice(-6)}-${String(this.#calls++)}`
    const values = { name: tool.name, callId, type: 'function', arguments: JSON.stringify({ query: subject }) }
    const children: SpanDraft[] = []
    if (course === 'waits') {
      const asked = { reason: 'tool_approval', title: `May the agent call ${tool.name}?`, waiting: true } as const
      children.push(draft('wait', asked, { every: { state: 'waiting' }, start, end: start, children: [] }))
      return {
        draft: this.#tool(values, { every: { state: 'waiting' }, start, end: start, children }),
        ending: 'waiting',
      }
    }
    clock.pass(random.skewed(tool.medianMs, 0.8))
    const end = clock.nanos
    if (clock.isOver)
      return { draft: this.#tool(values, { every: { state: 'running' }, start, end, children }), ending: 'running' }
    if (course === 'killed') {
      return {
        draft: this.#tool(values, { every: { state: 'interrupted' }, start, end, children }),
        ending: 'interrupted',
      }
    }
    if (course === 'fails' || random.chance(tool.failureRate)) {
      const [type, message] = tool.error
      const attributes = { [ATTR.exceptionType]: type, [ATTR.exceptionMessage]: message }
      const events = [{ name: EVENTS.exception, time: end, attributes }]
      const every = { ...failed(tool.error), state: 'failed' as const }
      return { draft: this.#tool(values, { every, start, end, events, children }), ending: 'failed' }
    }
    if (this.#start.planId === this.#start.rootPlanId && random.chance(0.03)) {
      children.push(this.#subPlan(callId))
      return {
        draft: this.#tool(
          { ...values, result: 'The sub-plan is done.' },
          { every: {}, start, end: clock.nanos, children },
        ),
        ending: clock.isOver ? 'running' : 'completed',
      }
    }
    const result = JSON.stringify({ found: random.integer(0, 20), about: subject })
    return { draft: this.#tool({ ...values, result }, { every: {}, start, end, children }), ending: 'completed' }
  }

  #tool(values: Parameters<typeof draft<'tool'>>[1], rest: Omit<SpanDraft, 'role' | 'values' | 'subject'>): SpanDraft {
    return draft('tool', values, { ...rest, subject: values.name })
  }

  /** Generates a sub-plan below a tool call. */
  #subPlan(callId: string): SpanDraft {
    const { random, clock, scenario, rootPlanId, subject } = this.#start
    const planId = `${rootPlanId}-sub-${String(this.#calls)}`
    const start = clock.nanos
    const agents = new LiveAgents({ ...this.#start, planId })
    const [first] = scenario.agents
    const agent = first ?? random.pick(scenario.agents)
    const state = agents.run(agent, 0, 'done')
    return draft(
      'plan',
      {
        workflow: `${scenario.workflow}-detail`,
        title: `Details about ${subject}`,
        steps: [agent.task],
        currentStepIndex: 0,
        parentPlanId: rootPlanId,
        parentToolCallId: callId,
        ...(state === 'running' ? {} : { completed: true }),
      },
      {
        subject: `${scenario.workflow}-detail`,
        every: { planId, rootPlanId, state, ...(state === 'failed' ? failed(agents.error) : {}) },
        start,
        end: clock.nanos,
        children: agents.drafts,
      },
    )
  }

  /** Generates a judgement of the next action. Most unsafe actions are stopped. */
  #guardrail(tool: ScenarioTool): { guardrail: SpanDraft; event: EventDraft; isStopped: boolean } | undefined {
    const { random, clock, usage } = this.#start
    const start = clock.nanos
    const call = modelCall({ random, clock, model: MODELS.world, median: 600, usage, source: 'world_model' })
    if (!call) return undefined
    clock.pass(random.skewed(4))
    const isUnsafe = random.chance(0.06)
    const score = Math.round((isUnsafe ? 0.7 + random.next() * 0.3 : random.next() ** 2 * 0.6) * 100) / 100
    const [policy, why] = random.pick(POLICIES)
    const explanation = isUnsafe ? why : `Calling ${tool.name} changes nothing that matters.`
    const attributes = {
      [ATTR.evaluationName]: 'risk',
      [ATTR.evaluationScoreValue]: score,
      [ATTR.evaluationScoreLabel]: isUnsafe ? 'unsafe' : 'safe',
      [ATTR.evaluationExplanation]: explanation,
    }
    const guardrail = draft(
      'guardrail',
      {
        name: 'safepred',
        score,
        isSafe: !isUnsafe,
        policies: isUnsafe ? [policy] : [],
        explanation,
        semanticDelta: `The answer of ${tool.name} will be shown.`,
        ...(isUnsafe ? { optimizationGuidance: 'Ask the user first.' } : {}),
      },
      {
        subject: 'safepred',
        every: {},
        start,
        end: clock.nanos,
        children: [call],
      },
    )
    const event = { name: EVENTS.evaluation, time: clock.nanos, attributes }
    return { guardrail, event, isStopped: isUnsafe && random.chance(0.7) }
  }
}
