import { EVENTS, type State } from '../../../semconv/index.js'
import { stateOfWord } from '../../state.js'
import { textOf, type EventValues, type PlanActEvent } from './event.js'
import { isEnd, planWord, PLAN_EVENTS, stepIdsOf } from './progress.js'
import { SpanBuilder } from './span-builder.js'
import { EXECUTOR, ToolCalls } from './tool-calls.js'

/** What of a plan does not change from one of its events to the next, and so stands on the plan span. */
export const CARRIED = ['title', 'goal', 'language', 'message'] as const

/** The names that ManusX gives its planning agent and its flow. */
const PLANNER = 'planner'
const WORKFLOW = 'plan_act'

/** Replays the events of a session: what began, went on and ended becomes spans. */
export class Replay {
  readonly root = new SpanBuilder('plan')
  readonly #events: readonly PlanActEvent[]
  readonly #planId: string | undefined
  readonly #calls = new ToolCalls()
  #agent: SpanBuilder | undefined
  /** The step that the agent works on. */
  #isStep = false
  #wait: SpanBuilder | undefined
  #stepIds: readonly (string | undefined)[] = []
  #revision = 0
  #planned = false
  #state: State = 'planning'
  /** When what came before ended: the planner, or the model of a cycle, has been at work since. */
  #since: bigint | undefined

  /** `carried` is what the plan span says of the plan, its id included. */
  constructor(events: readonly PlanActEvent[], carried: EventValues, planId: string | undefined) {
    this.#events = events
    this.#planId = planId
    this.root.subject = WORKFLOW
    this.root.values = { workflow: WORKFLOW, ...carried }
    for (const [index, event] of events.entries()) this.#take(event, index)
    this.#finish()
  }

  #take(event: PlanActEvent, index: number): void {
    const { type, values } = event
    if (type === 'message') this.#message(event)
    else if (type === 'title')
      this.root.place(event, EVENTS.streamEvent, { type, ...this.#own(values, ['sessionTitle']) })
    else if (type === 'plan') this.#plan(event, index)
    else if (type === 'step') this.#step(event)
    else if (type === 'tool') this.#tool(event)
    else if (type === 'error') this.#error(event)
    else if (type === 'wait') this.#waitFor(event)
    else if (type === 'done') this.#done(event)
    else if (type === undefined) this.root.place(event, EVENTS.streamComment, { content: values['content'] })
    else this.root.place(event, EVENTS.streamEvent, { type, data: values['data'] })
  }

  /** The values that the plan span does not say already. */
  #own(values: EventValues, names: readonly string[]): EventValues {
    const onPlan = (name: string): EventValues[string] =>
      name === 'recordId' ? this.#planId : this.root.values[name === 'sessionTitle' ? 'title' : name]
    return Object.fromEntries(names.filter((name) => values[name] !== onPlan(name)).map((name) => [name, values[name]]))
  }

  #message(event: PlanActEvent): void {
    const { role, content, contentIn, messageAttachments } = event.values
    this.root.place(event, EVENTS.message, {
      role,
      messageAttachments,
      ...(contentIn === undefined ? { content } : { contentIn }),
    })
    if (role !== 'user') return
    const isAnswer = this.#answer(event.time)
    this.#state = isAnswer ? 'running' : 'planning'
    this.#planned &&= isAnswer
    this.#since = event.time
  }

  #plan(event: PlanActEvent, index: number): void {
    const { eventStatus, status, errorMessage, steps, stepsJson, result } = event.values
    const word = planWord(event, { planned: this.#planned, isLast: this.#typeAfter(index) === 'done' })
    const name = PLAN_EVENTS.get(word) ?? EVENTS.planUpdated
    const own: EventValues = { ...this.#own(event.values, [...CARRIED, 'recordId']), steps, stepsJson, result }
    const ownWord = eventStatus !== undefined && !PLAN_EVENTS.has(word) ? { eventStatus } : {}
    this.#planned = true
    this.#stepIds = stepIdsOf(event)
    if (!this.#isStep) this.#agent = undefined
    if (name === EVENTS.planCompleted) {
      this.root.place(event, name, { ...own, status, errorMessage })
      this.#state = 'completed'
      return
    }
    const planning = new SpanBuilder('planning', this.root)
    const { recordId, ...values } = own
    planning.subject = PLANNER
    planning.values = { ...values, planner: PLANNER, revision: ++this.#revision }
    planning.every = { recordId: textOf(recordId), status: textOf(status), errorMessage: textOf(errorMessage) }
    planning.state = 'completed'
    planning.last(this.#since, event.time)
    planning.place(event, name, ownWord)
    this.#state = 'running'
  }

  /** The type of the event after another, comments passed over. */
  #typeAfter(index: number): string | undefined {
    let at = index + 1
    while (at < this.#events.length && this.#events[at]?.type === undefined) at++
    return this.#events[at]?.type
  }

  #step(event: PlanActEvent): void {
    const { stepId } = event.values
    const isSame = this.#agent !== undefined && this.#isStep && this.#agent.values['stepId'] === stepId
    const ends = isEnd(event)
    const resumes = isSame && !ends && this.#agent?.state === 'waiting'
    this.#answer(event.time)
    const agent = isSame && (ends || resumes) && this.#agent ? this.#agent : this.#newAgent(event.time)
    this.#isStep = true
    agent.placeStatus(event, EVENTS.stepStatusChanged, 'running')
    const { stepDescription, success, attachments, result, status, errorMessage } = event.values
    const stepIndex = this.#stepIds.indexOf(textOf(stepId))
    agent.values = {
      ...agent.values,
      stepId,
      stepDescription,
      success,
      attachments,
      result,
      stepIndex: stepIndex < 0 ? undefined : stepIndex,
    }
    agent.every = { status: textOf(status), errorMessage: textOf(errorMessage) }
    agent.state = ends ? stateOfWord(textOf(status)) : 'running'
    this.#state = ends ? 'updating' : 'running'
    this.#since = event.time
    if (!ends) return
    agent.end = event.time
    this.#agent = undefined
  }

  /** A run that was not over when the next begins was given up: the user spoke, and the planner made a new plan. */
  #newAgent(time: bigint | undefined): SpanBuilder {
    if (this.#agent && this.#isStep) this.#leave('cancelled')
    const agent = new SpanBuilder('agent', this.root)
    agent.subject = EXECUTOR
    agent.values = { name: EXECUTOR, detail: 'full' }
    agent.start = time
    this.#agent = agent
    return agent
  }

  #tool(event: PlanActEvent): void {
    this.#calls.take(event, () => this.#agent ?? this.#looseAgent(event.time), this.#since)
    this.#since = event.time
  }

  /** Tools beyond the steps belong to an agent without one: it writes the summary. */
  #looseAgent(time: bigint | undefined): SpanBuilder {
    const agent = this.#newAgent(time)
    agent.state = 'completed'
    this.#isStep = false
    return agent
  }

  #waitFor(event: PlanActEvent): void {
    this.#answer(event.time)
    const wait = new SpanBuilder('wait', this.#agent ?? this.root)
    wait.values = { reason: 'form_input', waiting: true }
    wait.start = event.time
    wait.state = 'waiting'
    wait.place(event, EVENTS.streamEvent, { type: 'wait' })
    this.#wait = wait
    this.#state = 'waiting'
    if (this.#agent && this.#isStep) this.#agent.state = 'waiting'
  }

  /** Ends the wait that is open; false where none is. The step goes on when it says so itself. */
  #answer(time: bigint | undefined): boolean {
    const wait = this.#wait
    if (!wait) return false
    wait.values = { ...wait.values, waiting: false, resolution: 'submitted' }
    wait.state = 'completed'
    wait.end = time
    this.#wait = undefined
    return true
  }

  #error(event: PlanActEvent): void {
    const { error } = event.values
    this.root.place(event, EVENTS.exception, { error })
    this.root.every = { errorMessage: textOf(error) }
    this.#leave('failed')
    this.#state = 'failed'
  }

  #done(event: PlanActEvent): void {
    this.root.place(event, EVENTS.streamEvent, { type: 'done' })
    const isOver = this.#state === 'completed' || (!this.#planned && !(this.#agent && this.#isStep))
    if (this.#state !== 'failed') this.#state = isOver ? 'completed' : 'cancelled'
    this.#leave(this.#state)
    this.#planned = false
  }

  /** What is still open ends in that state. */
  #leave(state: State): void {
    if (this.#agent && this.#isStep) this.#agent.state = state
    this.#calls.leave(state)
    this.#agent = undefined
  }

  #finish(): void {
    const times = this.#events.flatMap(({ time }) => (time === undefined ? [] : [time]))
    const [first] = times
    this.root.start = first === undefined ? undefined : times.reduce((a, b) => (a < b ? a : b), first)
    this.root.end = first === undefined ? undefined : times.reduce((a, b) => (a > b ? a : b), first)
    this.root.state = this.#state
    if (this.#state !== 'failed') this.root.every = {}
    const hasWaited = this.#events.some(({ type }) => type === 'wait')
    this.root.values = {
      ...this.root.values,
      ...(hasWaited ? { waiting: this.#state === 'waiting' } : {}),
      ...(this.#revision > 0 ? { revision: this.#revision } : {}),
    }
  }
}
