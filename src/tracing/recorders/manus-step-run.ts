import type { HrTime } from '@opentelemetry/api'
import { jsonOf, textOf, type EventValues } from '../../mapping/dialects/plan-act/event.js'
import { EXECUTOR } from '../../mapping/dialects/plan-act/tool-calls.js'
import { member, stringOf } from '../../mapping/json/node.js'
import type { AgentSpan } from '../agent-span.js'
import type { CycleSpan } from '../cycle-span.js'
import type { PlanSpan } from '../plan-span.js'
import type { ToolSpan } from '../tool-span.js'
import { fieldValues } from './field-values.js'
import type { RecordedClock } from './recorded-clock.js'

interface Call {
  readonly cycle: CycleSpan
  readonly tool: ToolSpan
}

/** How what is open ends: as done, given up, failed with a message, or interrupted. */
export type Leave = 'done' | 'cancelled' | 'interrupted' | { readonly message: string | undefined }

/** ManusX's executor at work on a step, or on the summary after the steps. */
export class ManusStepRun {
  readonly agent: AgentSpan
  /** Undefined for work that belongs to no step. */
  readonly stepId: string | undefined
  readonly #clock: RecordedClock
  readonly #calls = new Map<string, Call>()

  constructor(plan: PlanSpan, clock: RecordedClock, stepIds: readonly (string | undefined)[], step?: EventValues) {
    this.#clock = clock
    this.stepId = textOf(step?.['stepId'])
    const index = this.stepId === undefined ? -1 : stepIds.indexOf(this.stepId)
    const values = {
      stepId: this.stepId,
      step: index < 0 ? undefined : index,
      stepDescription: step?.['stepDescription'],
    }
    this.agent = plan.startAgent({ name: EXECUTOR, ...values })
  }

  /** A call that begins or returns. The model has been at work since the event before: each call is a cycle of its own. */
  call(values: EventValues, since: HrTime): void {
    const id = textOf(values['callId']) ?? ''
    const isCalled = values['status'] === 'called'
    const call = (isCalled ? this.#calls.get(id) : undefined) ?? this.#begin(values, since)
    if (!isCalled) {
      this.#end(this.#calls.get(id), 'cancelled')
      this.#calls.set(id, call)
      return
    }
    this.#calls.delete(id)
    const { content, brief, result } = values
    call.tool.set(fieldValues({ content, brief }))
    call.tool.result(result)
    const answer = jsonOf(result)
    const success = member(answer, 'success')
    const failed = success?.kind === 'literal' && success.value === false
    this.#end(call, failed ? { message: stringOf(member(answer, 'message')) } : 'done')
  }

  /** The step is over, as its event says. */
  end(values: EventValues): void {
    const { stepDescription, result, success, attachments, status, errorMessage } = values
    this.agent.set(fieldValues({ stepDescription, result, success, attachments }))
    this.leave(status === 'failed' ? { message: textOf(errorMessage) } : 'done')
  }

  /** Ends the agent and the calls that have not returned. */
  leave(leave: Leave): void {
    for (const call of this.#calls.values()) this.#end(call, leave)
    this.#calls.clear()
    endSpan(this.agent, leave)
  }

  #begin(values: EventValues, since: HrTime): Call {
    const { callId, name, group, brief, arguments: text } = values
    const cycle = this.#clock.at(since, () => this.agent.startCycle())
    const options = { callId: textOf(callId), group, brief, arguments: text }
    return { cycle, tool: cycle.startTool({ name: textOf(name) ?? '', ...options }) }
  }

  /** A failed call does not fail its cycle: the agent goes on. */
  #end(call: Call | undefined, leave: Leave): void {
    if (!call) return
    endSpan(call.tool, leave)
    endSpan(call.cycle, typeof leave === 'object' ? 'done' : leave)
  }
}

/** Ends a span so. */
export function endSpan(
  span: { end(): void; cancel(): void; interrupt(): void; fail(error: unknown): void },
  leave: Leave,
): void {
  if (typeof leave === 'object') span.fail(leave)
  else if (leave === 'interrupted') span.interrupt()
  else {
    if (leave === 'cancelled') span.cancel()
    span.end()
  }
}
