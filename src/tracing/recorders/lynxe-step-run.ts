import type { HrTime } from '@opentelemetry/api'
import type { agentFields, FieldValues, llmFields } from '../../semconv/index.js'
import type { LiveAgent } from '../live-agent.js'
import type { LiveCycle } from '../live-cycle.js'
import type { LivePlan } from '../live-plan.js'
import type { LiveTool } from '../live-tool.js'
import type { LynxeStep, LynxeThinkAct, LynxeToolCall } from './lynxe-arguments.js'
import type { RecordedClock } from './recorded-clock.js'

// Lynxe's recorder writes these defaults.
const NO_NAME = 'Agent'
const NO_DESCRIPTION = 'No description available'

/** One step of a Lynxe plan, recorded while it runs. */
export class LynxeStepRun {
  readonly #plan: LivePlan
  readonly #clock: RecordedClock
  readonly index: number
  readonly #isResumed: boolean
  #agent: LiveAgent | undefined
  #cycle: LiveCycle | undefined
  readonly #openCalls = new Set<LiveTool>()
  #lastCall: LiveTool | undefined
  #lastResult: string | undefined
  /** The time at which the agent last began to think. */
  #since: HrTime
  #failed = false
  #completed = false
  #ended = false

  constructor(plan: LivePlan, clock: RecordedClock, { index, isResumed }: { index: number; isResumed: boolean }) {
    this.#plan = plan
    this.#clock = clock
    this.index = index
    this.#isResumed = isResumed
    this.#since = clock.now()
  }

  /** The agent at work; undefined before the step starts. */
  get agent(): LiveAgent | undefined {
    return this.#agent
  }

  get isRunning(): boolean {
    return this.#agent !== undefined && !this.#ended
  }

  /** The result of the last cycle's last tool call, which Lynxe uses as the result of the plan. */
  get lastResult(): string | undefined {
    return this.#lastResult
  }

  /** Starts the step; returns false if it has already started. */
  start(step: LynxeStep): boolean {
    if (this.#agent) return false
    const { stepId, stepIndex, stepRequirement, agent, agentName } = step
    const { name, request } = readRequirement(stepRequirement)
    const index = stepIndex ?? this.index
    this.#agent = this.#plan.startAgent({
      name: agent?.name ?? name ?? agentName ?? NO_NAME,
      description: agent?.description ?? NO_DESCRIPTION,
      request,
      step: index,
      currentStep: index,
      stepId,
    })
    this.#since = this.#clock.now()
    return true
  }

  /** Records a cycle and returns the tool calls that it starts; undefined if no agent is running. */
  think(step: LynxeStep, thought: LynxeThinkAct): ReadonlyMap<string, LiveTool> | undefined {
    const agent = this.#running(step)
    if (!agent) return undefined
    this.#endCycle()
    const { modelContextLimit, thinkInput, thinkOutput, errorMessage, actToolInfoList } = thought
    const cycle = this.#clock.at(this.#since, () => agent.startCycle())
    const model = this.#clock.at(this.#since, () => cycle.startModel({ model: step.modelName ?? undefined }))
    cycle.set({ modelContextLimit: modelContextLimit ?? undefined })
    model.input(thinkInput)
    model.output(thinkOutput)
    model.set(charCounts(thought))
    model.end()
    if (errorMessage) cycle.error(errorMessage)
    this.#cycle = cycle
    this.#lastCall = this.#lastResult = undefined
    const calls = new Map<string, LiveTool>()
    for (const call of actToolInfoList ?? []) {
      const tool = cycle.startTool({ name: call.name, callId: call.toolCallId, arguments: call.parameters })
      calls.set(call.toolCallId, tool)
      this.#openCalls.add(tool)
      this.#lastCall = tool
    }
    for (const call of actToolInfoList ?? []) this.answer(calls.get(call.toolCallId), call)
    if (this.#openCalls.size === 0) this.#endCycle()
    return calls
  }

  /** Records a call's result, or that it is still running. */
  answer(tool: LiveTool | undefined, { result }: LynxeToolCall): void {
    if (!tool || result === null || result === undefined) return
    tool.result(result)
    tool.end()
    if (tool === this.#lastCall) this.#lastResult = result
    if (this.#openCalls.delete(tool) && this.#openCalls.size === 0) this.#endCycle()
    this.#since = this.#clock.now()
  }

  /** Records a call that another process made, with its result. */
  returned({ name, parameters, result, toolCallId }: LynxeToolCall): void {
    const cycle = this.#agent?.startCycle()
    const tool = cycle?.startTool({ name, callId: toolCallId, arguments: parameters })
    tool?.result(result)
    tool?.end()
    cycle?.end()
  }

  /** Ends the agent; returns false if none is running. */
  complete(step: LynxeStep): boolean {
    const running = this.#running(step)
    if (!running) return false
    const { agent, result, stepRequirement } = step
    const values: FieldValues<typeof agentFields> = {
      name: agent?.name ?? undefined,
      description: agent?.description ?? undefined,
      request: stepRequirement || undefined,
    }
    running.set(values)
    if (result) running.result(result)
    this.#fail(step)
    this.#endCycle()
    this.#completed = true
    return true
  }

  /** Ends the step; returns false if it has not started or has already ended. */
  end(step: LynxeStep): boolean {
    if (!this.#running(step)) return false
    this.#fail(step)
    this.#completed = true
    this.leave()
    return true
  }

  /** Ends everything open; a step that was not completed stays RUNNING for ever, as in Lynxe. */
  leave(): void {
    if (this.#ended || !this.#agent) return
    this.#endCycle()
    if (this.#completed) this.#agent.end()
    else this.#agent.interrupt()
    this.#ended = true
  }

  /** The running agent. A step that an earlier process started continues. */
  #running(step: LynxeStep): LiveAgent | undefined {
    if (this.#ended) return undefined
    if (this.#isResumed) this.start(step)
    return this.#agent
  }

  #fail({ errorMessage }: LynxeStep): void {
    if (!errorMessage || this.#failed) return
    this.#agent?.error(errorMessage)
    this.#failed = true
  }

  #endCycle(): void {
    for (const tool of this.#openCalls) tool.end()
    this.#openCalls.clear()
    this.#cycle?.end()
    this.#cycle = undefined
  }
}

/** Splits `[AGENT] request` into the agent and its request. */
function readRequirement(requirement: string | null | undefined): { name?: string; request?: string } {
  const match = /^\[([^\]]+)\]([^]*)$/.exec(requirement?.trim() ?? '')
  const name = match?.[1]?.trim()
  const request = match?.[2]?.trim()
  return { ...(name ? { name } : {}), ...(request ? { request } : {}) }
}

const charCounts = (thought: LynxeThinkAct): FieldValues<typeof llmFields> => ({
  inputCharCount: thought.inputCharCount ?? undefined,
  outputCharCount: thought.outputCharCount ?? undefined,
})
