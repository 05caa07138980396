import { EVENTS, isDone, type State } from '../../../semconv/index.js'
import { textOf, type EventValues, type PlanActEvent, EXECUTOR, PLANNER } from './plan-act-event.js'
import { OpenCalls } from './open-calls.js'
import { CARRIED, isEnd, planWord, PLAN_EVENTS, stepIdsOf } from './plan-events.js'
import type { PlanSink, SpanSink } from './span-sink.js'

/** The executor's current work. */
interface Agent {
  readonly span: SpanSink
  /** Undefined for work outside of the steps: writing the summary. */
  readonly step: { readonly id: EventValues[string] } | undefined
  /** Whether the step waits until an event of its own resumes it. */
  isWaiting: boolean
}

/**
 * Turns the events of a session, one at a time, into spans that begin, continue and end. The caller delays an event
 * until two facts are known: whether a `plan` event without a status is the last before `done`, and whether a message
 * is the request or the summary (`contentIn`).
 */
export class SessionReducer {
  readonly #plan: PlanSink
  readonly #calls = new OpenCalls()
  #agent: Agent | undefined
  #wait: SpanSink | undefined
  #hasWaited = false
  #stepIds: readonly (string | undefined)[] = []
  #revision = 0
  /** Whether there has been a plan since the last request. */
  #planned = false
  #state: State = 'planning'
  /** The end of the previous work. The planner, or the model of a cycle, has been working since. */
  #since: bigint | undefined

  constructor(plan: PlanSink) {
    this.#plan = plan
    this.#stand('planning')
  }

  /** Whether `done` would complete the plan, not cancel it. */
  get isComplete(): boolean {
    return this.#state === 'completed' || (!this.#planned && !this.#agent?.step)
  }

  /** Handles the next event. A comment or an unknown event does not affect the plan. */
  take(event: PlanActEvent, { isLast = false }: { readonly isLast?: boolean } = {}): void {
    const { type } = event
    if (type === 'message') this.#message(event)
    else if (type === 'title') this.#title(event)
    else if (type === 'plan') this.#planEvent(event, isLast)
    else if (type === 'step') this.#step(event)
    else if (type === 'tool') this.#tool(event)
    else if (type === 'wait') this.#waitFor(event)
    else if (type === 'error') this.#error(event)
    else if (type === 'done') this.#done(event)
    else {
      const { content, data } = event.values
      if (type === undefined) this.#plan.event(event, EVENTS.streamComment, { content })
      else this.#plan.event(event, EVENTS.streamEvent, { type, data })
    }
  }

  /** Sets the values that all events of an imported session determine together. A live plan has set them already. */
  finish(): void {
    this.#leaveLoose()
    this.#plan.set({
      ...(this.#hasWaited && { waiting: this.#state === 'waiting' }),
      ...(this.#revision > 0 && { revision: this.#revision }),
      ...(this.#state !== 'failed' && { errorMessage: undefined }),
    })
  }

  /** Ends an interrupted session. */
  interrupt(): void {
    this.#leave('interrupted')
    this.#plan.end('interrupted')
  }

  #message(event: PlanActEvent): void {
    const { role, content, contentIn, messageAttachments } = event.values
    const home = textOf(contentIn)
    if (home !== undefined) this.#plan.setCarried({ [home]: content })
    const said = home === undefined ? { content } : { contentIn }
    this.#plan.event(event, EVENTS.message, { role, messageAttachments, ...said })
    if (role !== 'user') return
    const isAnswer = this.#answer(event.time)
    this.#planned &&= isAnswer
    this.#since = event.time
    this.#stand(isAnswer ? 'running' : 'planning')
  }

  #title(event: PlanActEvent): void {
    const own = this.#plan.setCarried({ sessionTitle: event.values['sessionTitle'] })
    this.#plan.event(event, EVENTS.streamEvent, { type: 'title', ...own })
  }

  #planEvent(event: PlanActEvent, isLast: boolean): void {
    const { time, values } = event
    const { eventStatus, status, errorMessage, recordId, steps, stepsJson, result } = values
    const word = planWord(event, { planned: this.#planned, isLast })
    const name = PLAN_EVENTS.get(word) ?? EVENTS.planUpdated
    const carried = Object.fromEntries(CARRIED.map((name) => [name, values[name]]))
    const own = this.#plan.setCarried({ ...carried, recordId, steps, stepsJson, result })
    this.#planned = true
    this.#stepIds = stepIdsOf(event)
    this.#leaveLoose()
    if (name === EVENTS.planCompleted) {
      this.#plan.event(event, name, { ...own, status, errorMessage })
      this.#stand('completed')
      return
    }
    const planningValues = { ...own, planner: PLANNER, revision: ++this.#revision, status, errorMessage }
    const planning = this.#plan.begin('planning', planningValues, time, this.#sinceBefore(time))
    planning.event(event, name, eventStatus !== undefined && !PLAN_EVENTS.has(word) ? { eventStatus } : {})
    planning.end('completed', { time })
    this.#stand('running')
  }

  #step(event: PlanActEvent): void {
    const { time, values } = event
    const { stepId, stepDescription, success, attachments, result, status, errorMessage } = values
    const index = this.#stepIds.indexOf(textOf(stepId))
    const stepIndex = index < 0 ? undefined : index
    const agentValues = { stepId, stepDescription, success, attachments, result, stepIndex, status, errorMessage }
    const ends = isEnd(event)
    const current = this.#agent
    const known = current?.step && current.step.id === stepId && (ends || current.isWaiting) ? current : undefined
    this.#answer(time)
    known?.span.set(agentValues, 'running')
    const agent = known ?? this.#newAgent(agentValues, time, { id: stepId })
    agent.span.event(event, EVENTS.stepStatusChanged)
    agent.isWaiting = false
    this.#since = time
    this.#stand(ends ? 'updating' : 'running')
    if (!ends) return
    agent.span.end(status === 'failed' ? 'failed' : 'completed', { time, error: textOf(errorMessage) })
    this.#agent = undefined
  }

  /** A step that is not over when the next begins was given up: the user wrote, and the planner made a new plan. */
  #newAgent(values: EventValues, time: bigint | undefined, step?: Agent['step']): Agent {
    if (this.#agent?.step) this.#leave('cancelled')
    this.#leaveLoose()
    const span = this.#plan.begin('agent', { name: EXECUTOR, ...values }, time)
    this.#agent = { span, step, isWaiting: false }
    return this.#agent
  }

  /** Tools outside of the steps belong to an agent without a step. */
  #tool(event: PlanActEvent): void {
    const { time } = event
    const agent = (): SpanSink => (this.#agent ?? this.#newAgent({}, time)).span
    this.#calls.take(event, agent, this.#sinceBefore(time))
    this.#since = time
  }

  #waitFor(event: PlanActEvent): void {
    this.#answer(event.time)
    const above = this.#agent?.span ?? this.#plan
    this.#wait = above.begin('wait', { reason: 'form_input', waiting: true }, event.time)
    this.#wait.event(event, EVENTS.streamEvent, { type: 'wait' })
    this.#hasWaited = true
    if (this.#agent?.step) {
      this.#agent.isWaiting = true
      this.#agent.span.set({}, 'waiting')
    }
    this.#stand('waiting')
  }

  /** Ends the open wait. Returns false without one. The step resumes with an event of its own. */
  #answer(time: bigint | undefined): boolean {
    const wait = this.#wait
    if (!wait) return false
    wait.set({ waiting: false, resolution: 'submitted' })
    wait.end('completed', { time })
    this.#wait = undefined
    return true
  }

  #error(event: PlanActEvent): void {
    const error = textOf(event.values['error'])
    this.#plan.event(event, EVENTS.exception, { error })
    this.#leave('failed', error)
    this.#state = 'failed'
    this.#plan.set({ errorMessage: error })
    this.#plan.end('failed', { error })
  }

  #done(event: PlanActEvent): void {
    this.#plan.event(event, EVENTS.streamEvent, { type: 'done' })
    const state = isDone(this.#state) ? this.#state : this.isComplete ? 'completed' : 'cancelled'
    this.#leave(state)
    this.#planned = false
    this.#state = state
    this.#plan.end(state)
  }

  /**
   * Ends everything that is open below the plan: the wait is unanswered, and work outside of the steps has no failure.
   */
  #leave(state: State, error?: string): void {
    if (state === 'interrupted') this.#wait?.end(state)
    else {
      this.#wait?.set({ waiting: false, resolution: 'cancelled' })
      this.#wait?.end('cancelled')
    }
    this.#wait = undefined
    this.#calls.leave(state, error)
    this.#agent?.span.end(this.#agent.step || state === 'interrupted' ? state : 'completed', { error })
    this.#agent = undefined
  }

  /** Work outside of the steps ends when something else begins. */
  #leaveLoose(): void {
    if (!this.#agent || this.#agent.step) return
    this.#agent.span.end('completed')
    this.#agent = undefined
  }

  /** Sets the state of the plan. */
  #stand(state: State): void {
    this.#state = state
    this.#plan.set({}, state)
  }

  /** Returns when the work began that an event at this time reports. */
  #sinceBefore(time: bigint | undefined): bigint | undefined {
    const since = this.#since
    return since !== undefined && time !== undefined && since < time ? since : time
  }
}
