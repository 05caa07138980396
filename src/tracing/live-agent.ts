import { agentFields } from '../semconv/index.js'
import type { AgentOptions, AgentSpan, AgentValues } from './handles/agent-span.js'
import type { CycleOptions, CycleSpan } from './handles/cycle-span.js'
import type { WaitOptions, WaitSpan } from './handles/wait-span.js'
import { LiveCycle } from './live-cycle.js'
import { isPlainData } from './json-text.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { LiveWait } from './live-wait.js'
import { readInteger, readText } from './read-option.js'
import { runInSpan } from './run-in-span.js'

const FIELDS = liveFields(agentFields, ['step', 'captureReturn'])

/** One agent's work on one step of a plan (`invoke_agent`). */
export class LiveAgent extends LiveSpan implements AgentSpan {
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

  result(result: unknown): void {
    this.hasResult = true
    this.write({ result })
  }

  protected override recordReturned(value: unknown): void {
    if (isPlainData(value)) this.write({ result: value })
  }

  cycle<T>(fn: (cycle: CycleSpan) => T): T
  cycle<T>(options: CycleOptions, fn: (cycle: CycleSpan) => T): T
  cycle<T>(options: CycleOptions | ((cycle: CycleSpan) => T), fn?: (cycle: CycleSpan) => T): T {
    return runInSpan((given?: CycleOptions) => this.startCycle(given), options, fn)
  }

  startCycle(options?: CycleOptions): LiveCycle {
    return new LiveCycle(this, this.#name, options)
  }

  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan((given?: WaitOptions) => this.startWait(given), options, fn)
  }

  startWait(options?: WaitOptions): LiveWait {
    return new LiveWait(this, options)
  }

  protected override ending(): void {
    const cycles = this.childCount('think_act')
    this.write({
      completed: this.state === 'completed',
      currentStep: this.#currentStep ?? (cycles > 0 ? cycles : undefined),
    })
  }
}
