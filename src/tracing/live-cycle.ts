import { thinkActFields } from '../semconv/index.js'
import type { CycleOptions, CycleSpan, CycleValues } from './handles/cycle-span.js'
import type { GuardrailOptions, GuardrailSpan } from './handles/guardrail-span.js'
import type { ModelOptions, ModelSpan } from './handles/model-span.js'
import type { ToolOptions, ToolSpan } from './handles/tool-span.js'
import type { WaitOptions, WaitSpan } from './handles/wait-span.js'
import { liveFields } from './live-fields.js'
import { LiveGuardrail } from './live-guardrail.js'
import { LiveModel } from './live-model.js'
import { LiveSpan } from './live-span.js'
import { LiveTool } from './live-tool.js'
import { LiveWait } from './live-wait.js'
import { readInteger } from './read-option.js'
import { runInSpan } from './run-in-span.js'

const FIELDS = liveFields(thinkActFields)

/** One think-act cycle of an agent (`agent_step`). */
export class LiveCycle extends LiveSpan implements CycleSpan {
  /** Made by `cycle` and `startCycle` of an agent. */
  constructor(parent: LiveSpan, agentName: string | undefined, options?: CycleOptions) {
    super({ role: 'think_act', fields: FIELDS, parent, subject: agentName, options })
    this.write({ index: readInteger(options, 'index') ?? this.place })
  }

  set(values: CycleValues): void {
    this.write(values)
  }

  model<T>(options: ModelOptions, fn: (model: ModelSpan) => T): T {
    return runInSpan((given?: ModelOptions) => this.startModel(given), options, fn)
  }

  startModel(options?: ModelOptions): LiveModel {
    return new LiveModel(this, options)
  }

  guardrail<T>(options: GuardrailOptions, fn: (guardrail: GuardrailSpan) => T): T {
    return runInSpan((given?: GuardrailOptions) => this.startGuardrail(given), options, fn)
  }

  startGuardrail(options?: GuardrailOptions): LiveGuardrail {
    return new LiveGuardrail(this, options)
  }

  tool<T>(options: ToolOptions, fn: (tool: ToolSpan) => T): T {
    return runInSpan((given?: ToolOptions) => this.startTool(given), options, fn)
  }

  startTool(options?: ToolOptions): LiveTool {
    return new LiveTool(this, options)
  }

  wait<T>(options: WaitOptions, fn: (wait: WaitSpan) => T): T {
    return runInSpan((given?: WaitOptions) => this.startWait(given), options, fn)
  }

  startWait(options?: WaitOptions): LiveWait {
    return new LiveWait(this, options)
  }
}
