import { EVENTS, type State } from '../../../semconv/index.js'
import { member } from '../../json/node.js'
import { jsonOf, textOf, type PlanActEvent } from './event.js'
import { SpanBuilder } from './span-builder.js'

/** The name that ManusX gives the agent that works on steps. */
export const EXECUTOR = 'execution'

interface Call {
  readonly cycle: SpanBuilder
  readonly tool: SpanBuilder
}

/** The tool calls of a session. Each is a cycle of its agent, since ManusX runs but the first call of a model's turn. */
export class ToolCalls {
  readonly #open = new Map<string | undefined, Call>()

  /** A call that begins or returns; the model has been at work since the event before. */
  take(event: PlanActEvent, agent: () => SpanBuilder, since: bigint | undefined): void {
    const { callId, name, group, content, result, brief, status } = event.values
    const isCalled = status === 'called'
    const id = textOf(callId)
    const call = (isCalled ? this.#open.get(id) : undefined) ?? begin(agent(), event.time, since)
    if (isCalled) this.#open.delete(id)
    else this.#open.set(id, call)
    const { tool, cycle } = call
    tool.placeStatus(event, EVENTS.toolStatusChanged, 'calling')
    tool.subject = textOf(name)
    tool.values = { callId, name, group, arguments: event.values['arguments'], content, result, brief }
    tool.every = { status: textOf(status) }
    tool.state = isCalled ? (hasFailed(event) ? 'failed' : 'completed') : 'running'
    cycle.state = isCalled ? 'completed' : 'running'
    if (isCalled) tool.end = cycle.end = event.time
  }

  /** Calls that have not returned end in that state. */
  leave(state: State): void {
    for (const { cycle, tool } of this.#open.values()) cycle.state = tool.state = state
    this.#open.clear()
  }
}

function begin(agent: SpanBuilder, time: bigint | undefined, since: bigint | undefined): Call {
  const cycle = new SpanBuilder('think_act', agent)
  cycle.subject = EXECUTOR
  cycle.last(since, time)
  const tool = new SpanBuilder('tool', cycle)
  tool.start = time
  return { cycle, tool }
}

/** Whether a tool says that it failed. */
function hasFailed({ values }: PlanActEvent): boolean {
  const success = member(jsonOf(values['result']), 'success')
  return success?.kind === 'literal' && success.value === false
}
