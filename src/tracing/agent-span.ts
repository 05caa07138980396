import { agentFields } from '../semconv/index.js'
import { CycleSpan, type CycleOptions } from './cycle-span.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { readInteger, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { WaitSpan, type WaitOptions } from './wait-span.js'

const FIELDS = liveFields(agentFields)

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
export class AgentSpan extends LiveSpan {
  /** The id under which the agent's record is found. */
  readonly stepId: string
  readonly #name: string | undefined
  #currentStep: number | undefined

  /** Made by `agent` and `startAgent` of a plan. */
  constructor(parent: LiveSpan, options?: AgentOptions) {
    const name = readText(options, 'name')
    const stepIndex = readInteger(options, 'step')
    super({
      role: 'agent',
      fields: FIELDS,
      parent,
      subject: name,
      subjectField: 'name',
      options,
      values: { stepIndex },
    })
    this.stepId = readText(options, 'stepId') ?? this.run.stepId(stepIndex)
    this.write({ stepId: this.stepId })
    this.#name = name
    this.#currentStep = readInteger(options, 'currentStep')
    this.run.agentBegan(stepIndex)
  }

  set(values: AgentValues): void {
    this.#currentStep = readInteger(values, 'currentStep') ?? this.#currentStep
    this.write(values)
  }

  /** What the agent answers: text, chat messages, or any other value as its JSON text. */
  result(result: unknown): void {
    this.write({ result })
  }

  cycle<T>(fn: (cycle: CycleSpan) => T): T
  cycle<T>(options: CycleOptions, fn: (cycle: CycleSpan) => T): T
  cycle<T>(options: CycleOptions | ((cycle: CycleSpan) => T), fn?: (cycle: CycleSpan) => T): T {
    if (typeof options === 'function') return runInSpan(this.startCycle(), options)
    return runInSpan(this.startCycle(options), fn as (cycle: CycleSpan) => T)
  }

  startCycle(options?: CycleOptions): CycleSpan {
    return new CycleSpan(this, this.#name, options)
  }

  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan(this.startWait(options), fn)
  }

  startWait(options?: WaitOptions): WaitSpan {
    return new WaitSpan(this, options)
  }

  protected override ending(): void {
    const cycles = this.childCount('think_act')
    this.write({
      completed: this.state === 'completed',
      currentStep: this.#currentStep ?? (cycles > 0 ? cycles : undefined),
    })
  }
}
