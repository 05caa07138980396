import { compactJson, tryParseJson } from '../../mapping/json/index.js'
import type { FieldValues, planFields } from '../../semconv/index.js'
import { countDrop } from '../drops.js'
import type { PlanOptions } from '../handles/plan-span.js'
import type { WaitAnswer } from '../handles/wait-span.js'
import { countUnknownOptions } from '../option-names.js'
import { openPlan } from '../plan.js'
import { parsePlanToken } from '../plan-token.js'
import { readOption } from '../read-option.js'
import { openSegment } from '../resume.js'
import { activeContext } from '../scope.js'
import type { LynxeStep, LynxeThinkAct, LynxeToolCall, LynxeUserInputWaitState } from './lynxe-arguments.js'
import type { LynxeRecorder, LynxeRecorderOptions } from './lynxe-hooks.js'
import { LynxePlan, type LynxeCall } from './lynxe-plan.js'
import type { LynxeStepRun } from './lynxe-step-run.js'
import { recordSafely } from './record-safely.js'
import { RecordedClock } from './recorded-clock.js'

const OPTION_NAMES: ReadonlySet<string> = new Set<keyof LynxeRecorderOptions>(['tokens'])

class PlansRecorder implements LynxeRecorder {
  readonly #plans = new Map<string, LynxePlan>()
  readonly #tokens: LynxeRecorderOptions['tokens']

  constructor(options?: LynxeRecorderOptions) {
    countUnknownOptions('createLynxeRecorder()', options, OPTION_NAMES)
    this.#tokens = readOption(options, 'tokens')
  }

  recordPlanExecutionStart(
    currentPlanId: string,
    title?: string | null,
    userRequest?: string | null,
    steps?: readonly LynxeStep[] | null,
    parentPlanId?: string | null,
    rootPlanId?: string | null,
    toolCallId?: string | null,
  ): void {
    this.#record('the start of a plan', () => {
      if (typeof currentPlanId !== 'string' || currentPlanId.trim() === '') return false
      const listed = stepsOf(steps)
      const texts = listed.map(({ stepRequirement }) => stepRequirement ?? '')
      const stepsJson = listed.map(({ stepId }, index) => ({ id: stepId, title: texts[index] }))
      const values = { title: title ?? undefined, request: userRequest ?? undefined }
      const isSubPlan = rootPlanId !== currentPlanId && Boolean(parentPlanId || toolCallId)
      const known = this.#planOf(currentPlanId)
      if (known) {
        known.span.set(values)
        if (listed.some(({ stepId }) => !known.has(stepId))) known.span.update({ steps: texts })
      }
      const plan =
        known ??
        this.#open(
          { planId: currentPlanId, ...values, steps: texts },
          { parentPlanId, rootPlanId, toolCallId, isSubPlan },
        )
      this.#plans.set(currentPlanId, plan)
      if (listed.length > 0) plan.span.write({ stepsJson })
      for (const [index, step] of listed.entries()) if (!plan.has(step.stepId)) plan.add(step, index)
      this.#keep(plan)
      return !isSubPlan || this.#callOf(toolCallId) !== undefined
    })
  }

  recordStepStart(step: LynxeStep, currentPlanId?: string): void {
    this.#record('the start of a step', () => this.#stepOf(step, currentPlanId)?.run.start(step))
  }

  recordThinkingAndAction(step: LynxeStep, thought: LynxeThinkAct, currentPlanId?: string): void {
    this.#record('a think-act', () => {
      const found = this.#stepOf(step, currentPlanId)
      const calls = found?.run.think(step, thought)
      if (!found || !calls) return false
      for (const [callId, tool] of calls) found.plan.calls.set(callId, { tool, step: found.run })
      return true
    })
  }

  recordActionResult(calls: readonly LynxeToolCall[]): void {
    recordSafely('results', () => {
      for (const call of calls) {
        this.#record('a result', () => {
          const found = this.#callOf(call.toolCallId)
          found?.step.answer(found.tool, call)
          return found !== undefined || this.#onlyResumed()?.returned(call) === true
        })
      }
    })
  }

  recordCompleteAgentExecution(step: LynxeStep, currentPlanId?: string): void {
    this.#record('the completion of an agent', () => this.#stepOf(step, currentPlanId)?.run.complete(step))
  }

  recordStepEnd(step: LynxeStep, currentPlanId?: string): void {
    this.#record('the end of a step', () => this.#stepOf(step, currentPlanId)?.run.end(step))
  }

  recordUserInputWait(currentPlanId: string, form: LynxeUserInputWaitState, toolCallId?: string | null): void {
    this.#record('a wait', () => {
      const plan = this.#planOf(currentPlanId)
      if (!plan) return false
      plan.wait(form, this.#callOf(toolCallId))
      this.#keep(plan)
      return true
    })
  }

  recordUserInput(currentPlanId: string, given?: WaitAnswer): void {
    this.#record('an answer', () => {
      const answer: WaitAnswer = { resolution: 'submitted', ...given }
      const isKnown = this.#plans.has(currentPlanId)
      const plan = this.#planOf(currentPlanId, answer)
      if (!plan) return false
      const isAnswered = plan.answer(answer) || !isKnown
      this.#keep(plan)
      return isAnswered
    })
  }

  recordPlanCompletion(currentPlanId: string, summary?: string | null): void {
    this.#record('the completion of a plan', () => {
      const plan = this.#planOf(currentPlanId)
      if (!plan) return false
      this.#leave(currentPlanId, plan)
      if (typeof summary === 'string') plan.span.summary(summary)
      const values: FieldValues<typeof planFields> = {
        currentStepIndex: plan.lastIndex,
        result: plan.isRoot ? compactResult(plan.lastResult) : undefined,
      }
      plan.span.set(values)
      plan.span.end()
      if (plan.isRoot) this.#tokens?.delete(currentPlanId)
      return true
    })
  }

  /** Forgets a plan, and ends everything that is open below it. */
  #leave(planId: string, plan: LynxePlan): void {
    this.#plans.delete(planId)
    for (const [id, below] of this.#plans) {
      if (below.above !== plan) continue
      this.#leave(id, below)
      below.span.interrupt()
    }
    plan.leave()
  }

  /** Stores the token with which a later process continues the plan; it names the wait that is open. */
  #keep(plan: LynxePlan): void {
    const { planId, rootPlanId, token } = plan.span
    if (planId === rootPlanId) this.#tokens?.set(planId, token)
  }

  #record(what: string, record: () => boolean | undefined): void {
    recordSafely(what, () => {
      if (record() !== true) countDrop('event', what)
    })
  }

  /** Opens a plan below its tool call, else below the plans that it names, else in the active context. */
  #open(
    options: PlanOptions,
    ids: { parentPlanId: unknown; rootPlanId: unknown; toolCallId: unknown; isSubPlan: boolean },
  ): LynxePlan {
    const call = this.#callOf(ids.toolCallId)
    const above = call?.plan ?? this.#planOf(ids.parentPlanId) ?? this.#planOf(ids.rootPlanId)
    const parentContext = call?.tool.context ?? above?.span.context ?? activeContext()
    const clock = above?.clock ?? new RecordedClock()
    const span = openPlan(options, parentContext, clock)
    return new LynxePlan({ span, clock, above, isRoot: !ids.isSubPlan, isResumed: false })
  }

  /** Returns a plan of this process, else continues one of an earlier process whose token is stored. */
  #planOf(planId: unknown, answer?: WaitAnswer): LynxePlan | undefined {
    if (typeof planId !== 'string') return undefined
    const known = this.#plans.get(planId)
    if (known) return known
    const parsed = parsePlanToken(this.#tokens?.get(planId))
    if (!('token' in parsed) || parsed.token.planId !== planId) return undefined
    const clock = new RecordedClock()
    const span = openSegment(parsed.token, answer && { answer }, clock)
    const plan = new LynxePlan({ span, clock, above: undefined, isRoot: true, isResumed: true })
    this.#plans.set(planId, plan)
    this.#keep(plan)
    return plan
  }

  #stepOf(
    step: LynxeStep,
    currentPlanId: unknown,
  ): { readonly run: LynxeStepRun; readonly plan: LynxePlan } | undefined {
    const holder = [...this.#plans.values()].find((plan) => plan.has(step.stepId))
    const plan = holder ?? this.#planOf(currentPlanId) ?? this.#onlyResumed()
    const run = plan?.stepOf(step)
    return plan && run && { run, plan }
  }

  /** Returns the only plan of an earlier process; undefined if there are several. */
  #onlyResumed(): LynxePlan | undefined {
    const [plan, ...others] = [...this.#plans.values()].filter(({ isResumed }) => isResumed)
    return others.length === 0 ? plan : undefined
  }

  #callOf(callId: unknown): (LynxeCall & { readonly plan: LynxePlan }) | undefined {
    if (typeof callId !== 'string') return undefined
    for (const plan of this.#plans.values()) {
      const call = plan.calls.get(callId)
      if (call) return { ...call, plan }
    }
    return undefined
  }
}

/** The steps that have an id. */
function stepsOf(steps: readonly LynxeStep[] | null | undefined): LynxeStep[] {
  const listed = (steps ?? []).filter((step: Partial<LynxeStep> | null) => typeof step?.stepId === 'string')
  const left = (steps ?? []).length - listed.length
  if (left > 0) countDrop('event', 'steps without an id', left)
  return listed
}

/** Compacts JSON text, as Lynxe does; other text stays as it is. */
function compactResult(text: string | undefined): string | undefined {
  const json = text === undefined ? undefined : tryParseJson(text)
  return json ? compactJson(json) : text
}

/**
 * Creates a recorder with the hooks of Lynxe's PlanExecutionRecorder, for any number of plans at once. Ids are Lynxe's.
 *
 * @example
 * const recorder = createLynxeRecorder()
 * recorder.recordPlanExecutionStart('plan-1', 'An article', 'Write', [step])
 * recorder.recordStepStart(step, 'plan-1')
 */
export const createLynxeRecorder = (options?: LynxeRecorderOptions): LynxeRecorder => new PlansRecorder(options)
