import type { LivePlan } from '../live-plan.js'
import type { LiveTool } from '../live-tool.js'
import type { WaitAnswer, WaitSpan } from '../handles/wait-span.js'
import type { LynxeStep, LynxeToolCall, LynxeUserInputWaitState } from './lynxe-arguments.js'
import { LynxeStepRun } from './lynxe-step-run.js'
import type { RecordedClock } from './recorded-clock.js'

export interface LynxeCall {
  readonly tool: LiveTool
  readonly step: LynxeStepRun
}

interface LynxePlanStart {
  readonly span: LivePlan
  readonly clock: RecordedClock
  /** The parent plan. */
  readonly above: LynxePlan | undefined
  readonly isRoot: boolean
  /** Whether an earlier process began the plan, so that its steps may be unknown here. */
  readonly isResumed: boolean
}

/** One plan of Lynxe, recorded while it runs. */
export class LynxePlan {
  readonly span: LivePlan
  readonly clock: RecordedClock
  readonly above: LynxePlan | undefined
  readonly isRoot: boolean
  readonly isResumed: boolean
  readonly calls = new Map<string, LynxeCall>()
  readonly #steps = new Map<string, LynxeStepRun>()
  #wait: WaitSpan | undefined

  constructor({ span, clock, above, isRoot, isResumed }: LynxePlanStart) {
    this.span = span
    this.clock = clock
    this.above = above
    this.isRoot = isRoot
    this.isResumed = isResumed
  }

  /** The index of the last step; undefined without steps. */
  get lastIndex(): number | undefined {
    const indexes = [...this.#steps.values()].map(({ index }) => index)
    return indexes.length > 0 ? indexes.reduce((last, index) => Math.max(last, index)) : undefined
  }

  get lastResult(): string | undefined {
    return [...this.#steps.values()].at(-1)?.lastResult
  }

  has(stepId: string): boolean {
    return this.#steps.has(stepId)
  }

  /** Returns the run of a step. A step of a resumed plan continues where an earlier process left it. */
  stepOf(step: LynxeStep): LynxeStepRun | undefined {
    const known = this.#steps.get(step.stepId)
    if (known || !this.isResumed || typeof step.stepId !== 'string') return known
    return this.add(step)
  }

  add(step: LynxeStep, index = step.stepIndex ?? this.#steps.size): LynxeStepRun {
    const run = new LynxeStepRun(this.span, this.clock, { index, isResumed: this.isResumed })
    this.#steps.set(step.stepId, run)
    return run
  }

  /** Records the result of an earlier process's call in the step that is running; returns false without such a step. */
  returned(call: LynxeToolCall): boolean {
    const step = this.#running
    step?.returned(call)
    return step !== undefined
  }

  /** Begins a wait for a person: in its call, else in the step that is running. */
  wait({ title, formDescription, formInputs }: LynxeUserInputWaitState, call: LynxeCall | undefined): void {
    this.#wait?.end()
    const above = call?.tool ?? this.#running?.agent ?? this.span
    this.#wait = above.startWait({
      reason: 'form_input',
      title: title ?? undefined,
      formDescription: formDescription ?? undefined,
      formInputs: formInputs ?? undefined,
    })
  }

  /** Ends the wait with an answer; returns false without a wait. */
  answer(answer: WaitAnswer): boolean {
    const wait = this.#wait
    this.#wait = undefined
    wait?.answer(answer)
    wait?.end()
    return wait !== undefined
  }

  get #running(): LynxeStepRun | undefined {
    return [...this.#steps.values()].findLast(({ isRunning }) => isRunning)
  }

  /** Ends everything that is open below the plan. */
  leave(): void {
    this.answer({ resolution: 'cancelled' })
    for (const step of this.#steps.values()) step.leave()
  }
}
