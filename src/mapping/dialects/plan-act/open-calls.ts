import { EVENTS, type State } from '../../../semconv/index.js'
import { member, stringOf } from '../../json/index.js'
import { jsonOf, textOf, type PlanActEvent } from './plan-act-event.js'
import type { SpanSink } from './span-sink.js'

interface Call {
  readonly cycle: SpanSink
  readonly tool: SpanSink
}

/**
 * The tool calls of a session that have not returned. Each is a cycle of its agent, because ManusX runs only the first
 * call of a model's turn. A call may return after the agent is over.
 */
export class OpenCalls {
  readonly #open = new Map<string | undefined, Call>()

  /** Handles a call that begins or returns. The model has been working since the previous event. */
  take(event: PlanActEvent, agent: () => SpanSink, since: bigint | undefined): void {
    const { callId, name, group, arguments: args, content, result, brief, status } = event.values
    const values = { callId, name, group, arguments: args, content, result, brief, status }
    const { time } = event
    const id = textOf(callId)
    const isCalled = status === 'called'
    const open = this.#open.get(id)
    this.#open.delete(id)
    if (open && isCalled) open.tool.set(values)
    else if (open) end(open, 'cancelled')
    const call = isCalled && open ? open : begin()
    call.tool.event(event, EVENTS.toolStatusChanged)
    if (!isCalled) {
      this.#open.set(id, call)
      return
    }
    const answer = jsonOf(result)
    call.tool.end(hasFailed(event) ? 'failed' : 'completed', { time, error: stringOf(member(answer, 'message')) })
    call.cycle.end('completed', { time })

    function begin(): Call {
      const cycle = agent().begin('think_act', {}, time, since)
      return { cycle, tool: cycle.begin('tool', values, time) }
    }
  }

  /** Ends the open calls in a state. */
  leave(state: State, error?: string): void {
    for (const call of this.#open.values()) end(call, state, error)
    this.#open.clear()
  }
}

function end({ cycle, tool }: Call, state: State, error?: string): void {
  tool.end(state, { error })
  cycle.end(state, { error })
}

/** Whether a tool's result is a failure. */
function hasFailed({ values }: PlanActEvent): boolean {
  const success = member(jsonOf(values['result']), 'success')
  return success?.kind === 'literal' && success.value === false
}
