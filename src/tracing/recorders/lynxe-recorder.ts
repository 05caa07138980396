import type { Context } from '@opentelemetry/api'
import { compactJson, tryParseJson } from '../../mapping/json/index.js'
import type { FieldValues, planFields } from '../../semconv/index.js'
import { countDrop } from '../drops.js'
import type { LivePlan } from '../live-plan.js'
import type { LiveTool } from '../live-tool.js'
import { openPlan } from '../plan.js'
import { activeContext } from '../scope.js'
import type { LynxeStep, LynxeThinkAct, LynxeToolCall } from './lynxe-arguments.js'
import { LynxeStepRun } from './lynxe-step-run.js'
import { recordSafely } from './record-safely.js'
import { RecordedClock } from './recorded-clock.js'

interface PlanState {
  readonly span: LivePlan
  readonly clock: RecordedClock
  /** The parent plan. */
  readonly above: PlanState | undefined
  readonly isRoot: boolean
  readonly steps: Map<string, LynxeStepRun>
  readonly calls: Map<string, Call>
}

interface Call {
  readonly tool: LiveTool
  readonly step: LynxeStepRun
}

/** The hooks of Lynxe's PlanExecutionRecorder. They never throw; calls that match no plan count as dropped. */
export interface LynxeRecorder {
  /** Records the start of a plan; with a `toolCallId`, the plan is the sub-plan of that call. */
  recordPlanExecutionStart(
    currentPlanId: string,
    title?: string | null,
    userRequest?: string | null,
    steps?: readonly LynxeStep[] | null,
    parentPlanId?: string | null,
    rootPlanId?: string | null,
    toolCallId?: string | null,
  ): void
  recordStepStart(step: LynxeStep, currentPlanId?: string): void
  /** Records an agent's thought, from its start or its last result until now, and the tool calls that follow. */
  recordThinkingAndAction(step: LynxeStep, thought: LynxeThinkAct): void
  /** Records results; each call is found by its `toolCallId`. */
  recordActionResult(calls: readonly LynxeToolCall[]): void
  recordCompleteAgentExecution(step: LynxeStep): void
  recordStepEnd(step: LynxeStep, currentPlanId?: string): void
  /** Records the end of a plan; a sub-plan that is still open is interrupted. */
  recordPlanCompletion(currentPlanId: string, summary?: string | null): void
}

class PlansRecorder implements LynxeRecorder {
  readonly #plans = new Map<string, PlanState>()

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
      const known = this.#plans.get(currentPlanId)
      if (known) {
        known.span.set(values)
        if (listed.some(({ stepId }) => !known.steps.has(stepId))) known.span.update({ steps: texts })
      }
      const isSubPlan = rootPlanId !== currentPlanId && Boolean(parentPlanId || toolCallId)
      const { above, parentContext } = this.#placeOf({ parentPlanId, rootPlanId, toolCallId })
      const plan = known ?? {
        ...this.#open({ planId: currentPlanId, ...values, steps: texts }, above, parentContext),
        above,
        isRoot: !isSubPlan,
        steps: new Map<string, LynxeStepRun>(),
        calls: new Map<string, Call>(),
      }
      this.#plans.set(currentPlanId, plan)
      if (listed.length > 0) plan.span.write({ stepsJson })
      for (const [index, { stepId }] of listed.entries()) {
        if (!plan.steps.has(stepId)) plan.steps.set(stepId, new LynxeStepRun(plan.span, plan.clock, index))
      }
      return !isSubPlan || this.#callOf(toolCallId) !== undefined
    })
  }

  recordStepStart(step: LynxeStep): void {
    this.#record('the start of a step', () => this.#stepOf(step)?.run.start(step))
  }

  recordThinkingAndAction(step: LynxeStep, thought: LynxeThinkAct): void {
    this.#record('a think-act', () => {
      const found = this.#stepOf(step)
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
          return found !== undefined
        })
      }
    })
  }

  recordCompleteAgentExecution(step: LynxeStep): void {
    this.#record('the completion of an agent', () => this.#stepOf(step)?.run.complete(step))
  }

  recordStepEnd(step: LynxeStep): void {
    this.#record('the end of a step', () => this.#stepOf(step)?.run.end(step))
  }

  recordPlanCompletion(currentPlanId: string, summary?: string | null): void {
    this.#record('the completion of a plan', () => {
      const plan = this.#plans.get(currentPlanId)
      if (!plan) return false
      this.#leave(currentPlanId, plan)
      if (typeof summary === 'string') plan.span.summary(summary)
      const values: FieldValues<typeof planFields> = {
        currentStepIndex: plan.steps.size > 0 ? plan.steps.size - 1 : undefined,
        result: plan.isRoot ? compactResult([...plan.steps.values()].at(-1)?.lastResult) : undefined,
      }
      plan.span.set(values)
      plan.span.end()
      return true
    })
  }

  /** Forgets a plan, and ends everything that is open below it. */
  #leave(planId: string, plan: PlanState): void {
    this.#plans.delete(planId)
    for (const [id, below] of this.#plans) {
      if (below.above !== plan) continue
      this.#leave(id, below)
      below.span.interrupt()
    }
    for (const step of plan.steps.values()) step.leave()
  }

  #record(what: string, record: () => boolean | undefined): void {
    recordSafely(what, () => {
      if (record() !== true) countDrop('event', what)
    })
  }

  #open(options: Parameters<typeof openPlan>[0], above: PlanState | undefined, parentContext: Context) {
    const clock = above?.clock ?? new RecordedClock()
    return { span: openPlan(options, parentContext, clock), clock }
  }

  /** Returns the parent of a plan: its tool call, else the plans that it names, else the active context. */
  #placeOf(ids: { parentPlanId: unknown; rootPlanId: unknown; toolCallId: unknown }): {
    above: PlanState | undefined
    parentContext: Context
  } {
    const call = this.#callOf(ids.toolCallId)
    const above = call?.plan ?? this.#planOf(ids.parentPlanId) ?? this.#planOf(ids.rootPlanId)
    return { above, parentContext: call?.tool.context ?? above?.span.context ?? activeContext() }
  }

  #planOf(planId: unknown): PlanState | undefined {
    return typeof planId === 'string' ? this.#plans.get(planId) : undefined
  }

  #stepOf({ stepId }: LynxeStep): { readonly run: LynxeStepRun; readonly plan: PlanState } | undefined {
    for (const plan of this.#plans.values()) {
      const run = plan.steps.get(stepId)
      if (run) return { run, plan }
    }
    return undefined
  }

  #callOf(callId: unknown): (Call & { readonly plan: PlanState }) | undefined {
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
export const createLynxeRecorder = (): LynxeRecorder => new PlansRecorder()
