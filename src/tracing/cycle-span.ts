import { thinkActFields } from '../semconv/index.js'
import { GuardrailSpan, type GuardrailOptions } from './guardrail-span.js'
import { liveFields } from './live-fields.js'
import { LiveSpan } from './live-span.js'
import { ModelSpan, type ModelOptions } from './model-span.js'
import { readInteger } from './read-option.js'
import { runInSpan } from './run-in-span.js'
import { ToolSpan, type ToolOptions } from './tool-span.js'
import { WaitSpan, type WaitOptions } from './wait-span.js'

const FIELDS = liveFields(thinkActFields)

/** What is known of a think-act cycle. */
export interface CycleValues {
  /** Whether thinking asked for an action. */
  actionNeeded?: boolean | undefined
  /** What the action is. */
  actionDescription?: string | undefined
  /** What came of the action. */
  actionResult?: string | undefined
  /** The model's context window, tokens. */
  modelContextLimit?: number | undefined
}

export interface CycleOptions extends CycleValues {
  /** The index of the cycle, from 0. @default its place among the agent's cycles */
  index?: number | undefined
}

/** One think-act cycle of an agent (`agent_step`). */
export class CycleSpan extends LiveSpan {
  /** Made by `cycle` and `startCycle` of an agent. */
  constructor(parent: LiveSpan, agentName: string | undefined, options?: CycleOptions) {
    super({ role: 'think_act', fields: FIELDS, parent, subject: agentName, options })
    this.write({ index: readInteger(options, 'index') ?? this.place })
  }

  set(values: CycleValues): void {
    this.write(values)
  }

  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T {
    return runInSpan(this.startModel(options), fn)
  }

  startModel(options?: ModelOptions): ModelSpan {
    return new ModelSpan(this, options)
  }

  guardrail<T>(options: GuardrailOptions, fn: (guardrail: GuardrailSpan) => T): T {
    return runInSpan(this.startGuardrail(options), fn)
  }

  startGuardrail(options?: GuardrailOptions): GuardrailSpan {
    return new GuardrailSpan(this, options)
  }

  /**
   * One tool call; what the callback returns becomes the result, unless it sets one. A stream or a generator is returned
   * before its work is done: for one, end the call of `startTool` when it is.
   */
  tool<T>(options: ToolOptions, fn: (tool: ToolSpan) => T): T {
    return runInSpan(this.startTool(options), fn)
  }

  startTool(options: ToolOptions): ToolSpan {
    return new ToolSpan(this, options)
  }

  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan(this.startWait(options), fn)
  }

  startWait(options?: WaitOptions): WaitSpan {
    return new WaitSpan(this, options)
  }
}
