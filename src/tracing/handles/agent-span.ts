import type { CycleOptions, CycleSpan } from './cycle-span.js'
import type { SpanHandle } from './span-handle.js'
import type { WaitOptions, WaitSpan } from './wait-span.js'

/** What is known of an agent at work. */
export interface AgentValues {
  /** What the agent is for. */
  description?: string | undefined
  /** What the agent is asked to do: text, or chat messages. */
  request?: unknown
  /** How many cycles the agent may take. */
  maxSteps?: number | undefined
  /** The one model of the agent. */
  modelName?: string | undefined
  /** The cycle or step at work. @default how many cycles there were */
  currentStep?: number | undefined
  /** Whether the agent is stuck. */
  stuck?: boolean | undefined
}

export interface AgentOptions extends AgentValues {
  /** The agent, low cardinality. */
  name?: string | undefined
  /** The index of the plan's step that the agent works on, from 0. */
  step?: number | undefined
  /** The id of the step. @default the plan's id and the step's index, else `step-` and a random UUID */
  stepId?: string | undefined
}

/** One agent at work on one step of a plan (`invoke_agent`). */
export interface AgentSpan extends SpanHandle {
  /** The id under which the agent's record is found. */
  readonly stepId: string
  set(values: AgentValues): void
  /** What the agent answers: text, chat messages, or any other value as its JSON text. */
  result(result: unknown): void
  cycle<T>(fn: (cycle: CycleSpan) => T): T
  cycle<T>(options: CycleOptions, fn: (cycle: CycleSpan) => T): T
  startCycle(options?: CycleOptions): CycleSpan
  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T
  startWait(options?: WaitOptions): WaitSpan
}
