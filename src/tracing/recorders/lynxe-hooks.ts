import type { WaitAnswer } from '../handles/wait-span.js'
import type { LynxeStep, LynxeThinkAct, LynxeToolCall, LynxeUserInputWaitState } from './lynxe-arguments.js'

/** How plans of Lynxe are recorded. */
export interface LynxeRecorderOptions {
  /**
   * The store for the tokens of running plans, by plan id, such as a `Map` over a table of your database. A process
   * that starts later continues a plan, in the same trace, at the first hook that names the plan.
   */
  tokens?: Pick<Map<string, string>, 'get' | 'set' | 'delete'> | undefined
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
  /** Records the start of a step. Its plan is found by the step, else by `currentPlanId`, here and below. */
  recordStepStart(step: LynxeStep, currentPlanId?: string): void
  /** Records an agent's thought, from its start or its last result until now, and the tool calls that follow. */
  recordThinkingAndAction(step: LynxeStep, thought: LynxeThinkAct, currentPlanId?: string): void
  /** Records results; each call is found by its `toolCallId`. */
  recordActionResult(calls: readonly LynxeToolCall[]): void
  recordCompleteAgentExecution(step: LynxeStep, currentPlanId?: string): void
  recordStepEnd(step: LynxeStep, currentPlanId?: string): void
  /** Records that a form waits for the user, in the tool call that shows it, else in the step that is running. */
  recordUserInputWait(currentPlanId: string, form: LynxeUserInputWaitState, toolCallId?: string | null): void
  /** Records the answer to the form, or that nobody answered: `{ resolution: 'expired' }`. @default submitted */
  recordUserInput(currentPlanId: string, answer?: WaitAnswer): void
  /** Records the end of a plan; a sub-plan that is still open is interrupted. */
  recordPlanCompletion(currentPlanId: string, summary?: string | null): void
}
