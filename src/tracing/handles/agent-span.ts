import type { CycleOptions, CycleSpan } from './cycle-span.js'
import type { SpanHandle } from './span-handle.js'
import type { WaitOptions, WaitSpan } from './wait-span.js'

/** The values of an agent's run. */
export interface AgentValues {
  /** The agent's purpose. */
  description?: string | undefined
  /** The request to the agent: text, or chat messages. */
  request?: unknown
  /** The largest number of cycles the agent may take. */
  maxSteps?: number | undefined
  /** The agent's model, if it uses only one. */
  modelName?: string | undefined
  /** The current cycle or step. @default the number of cycles */
  currentStep?: number | undefined
  /** Whether the agent is stuck. */
  stuck?: boolean | undefined
}

export interface AgentOptions extends AgentValues {
  /** The agent's name, low cardinality. */
  name?: string | undefined
  /** The index of the plan's step that the agent works on, from 0. */
  step?: number | undefined
  /** The id of the step. @default the plan's id and the step's index, else `step-` and a random UUID */
  stepId?: string | undefined
  /** Whether what the callback returns is recorded as the result, if none was recorded. @default true */
  captureReturn?: boolean | undefined
}

/** One agent's work on one step of a plan (`invoke_agent`). */
export interface AgentSpan extends SpanHandle {
  /** The id under which the agent's record is found. */
  readonly stepId: string
  set(values: AgentValues): void
  /**
   * Records the agent's answer: text, chat messages, or any other value as JSON. Without a call it is what the callback
   * returned, if that is text, a number, a truth value, a list or a plain object.
   */
  result(result: unknown): void
  cycle<T>(fn: (cycle: CycleSpan) => T): T
  cycle<T>(options: CycleOptions, fn: (cycle: CycleSpan) => T): T
  startCycle(options?: CycleOptions): CycleSpan
  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T
  startWait(options?: WaitOptions): WaitSpan
}
