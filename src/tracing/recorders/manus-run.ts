import type { HrTime } from '@opentelemetry/api'
import { textOf, type EventValues } from '../../mapping/dialects/plan-act/event.js'
import { isEnd, planWord, stepIdsOf } from '../../mapping/dialects/plan-act/progress.js'
import { openPlan } from '../plan.js'
import type { PlanSpan } from '../plan-span.js'
import { activeContext } from '../scope.js'
import type { WaitSpan } from '../wait-span.js'
import { fieldValues } from './field-values.js'
import { asPlanActEvent, type ManusEvent } from './manus-event.js'
import { endSpan, ManusStepRun, type Leave } from './manus-step-run.js'
import { later, RecordedClock } from './recorded-clock.js'

const WORKFLOW = 'plan_act'
const PLANNER = 'planner'

/** What a run of a plan is begun with. */
interface ManusRunStart {
  readonly planId: string | undefined
  readonly sessionId: string | undefined
  readonly time: HrTime | undefined
}

/** One plan of a ManusX session, from its request to `done` or an error. */
export class ManusRun {
  readonly #clock = new RecordedClock()
  readonly #plan: PlanSpan
  #step: ManusStepRun | undefined
  #wait: WaitSpan | undefined
  /** Whether the step goes on with its next event. */
  #stepWaits = false
  #stepIds: readonly (string | undefined)[] = []
  #planned = false
  #completed = false
  #requested = false
  /** The last answer, until it is known whether it is the summary. */
  #held: { readonly content: EventValues[string]; readonly time: HrTime } | undefined
  #isOver = false
  /** The time of the event before: the planner, or the model of a cycle, has been at work since. */
  #since: HrTime

  constructor({ planId, sessionId, time }: ManusRunStart) {
    this.#since = time ?? this.#clock.now()
    const options = { workflow: WORKFLOW, planId, conversationId: sessionId }
    this.#plan = this.#clock.at(this.#since, () => openPlan(options, activeContext(), this.#clock))
  }

  get planId(): string {
    return this.#plan.planId
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** False for an event that has no place in a plan. */
  take(event: ManusEvent): boolean {
    const time = later(event.time ?? this.#clock.now(), this.#since)
    const taken = this.#clock.at(time, () => this.#take(event))
    this.#since = time
    return taken
  }

  /** Ends what is open as interrupted. */
  interrupt(): void {
    this.#clock.at(later(this.#clock.now(), this.#since), () => {
      this.#release()
      this.#leave('interrupted')
    })
  }

  #take(event: ManusEvent): boolean {
    const { type, values } = event
    if (type !== 'plan' && type !== 'done') this.#release()
    if (type === 'message') this.#message(values)
    else if (type === 'title') this.#plan.set({ title: textOf(values['sessionTitle']) })
    else if (type === 'plan') this.#planEvent(event)
    else if (type === 'step') this.#stepEvent(event)
    else if (type === 'tool') this.#toolEvent(values)
    else if (type === 'wait') this.#waitEvent()
    else if (type === 'error') this.#leave({ message: textOf(values['error']) })
    else if (type === 'done') this.#done()
    else return false
    return true
  }

  /** The first of the user's messages is the request, the last answer before the end the summary. */
  #message({ role, content }: EventValues): void {
    if (role === 'assistant') {
      this.#held = { content, time: this.#clock.now() }
      return
    }
    const isRequest = role === 'user' && !this.#requested && !this.#planned
    if (isRequest) this.#plan.set({ request: content })
    else this.#plan.message({ role: textOf(role) ?? '', content })
    if (role !== 'user') return
    this.#requested = true
    this.#answer()
  }

  #release(): void {
    const held = this.#held
    this.#held = undefined
    if (held) this.#clock.at(held.time, () => this.#plan.message({ role: 'assistant', content: held.content }))
  }

  #planEvent(event: ManusEvent): void {
    const { title, goal, language, message, steps, stepsJson, result } = event.values
    const word = planWord(asPlanActEvent(event), { planned: this.#planned, isLast: false })
    this.#planned = true
    this.#stepIds = stepIdsOf(asPlanActEvent(event))
    if (this.#step && this.#step.stepId === undefined) this.#leaveStep('done')
    this.#plan.set(fieldValues({ title, goal, language, message, stepsJson, result }))
    if (word === 'completed') {
      this.#completed = true
      return
    }
    const planning = this.#clock.at(this.#since, () =>
      this.#plan.startPlanning({ planner: PLANNER, ...fieldValues({ stepsJson }) }),
    )
    planning.steps(Array.isArray(steps) ? steps : [])
    planning.end()
  }

  #stepEvent(event: ManusEvent): void {
    const { values } = event
    const isSame = this.#step?.stepId !== undefined && this.#step.stepId === values['stepId']
    const ends = isEnd(asPlanActEvent(event))
    const resumes = isSame && this.#stepWaits
    this.#stepWaits = false
    this.#answer()
    const step = isSame && (ends || resumes) && this.#step ? this.#step : this.#newStep(values)
    if (!ends) return
    step.end(values)
    this.#step = undefined
  }

  /** A step that was not over when the next begins was given up. */
  #newStep(values?: EventValues): ManusStepRun {
    this.#leaveStep(this.#step?.stepId === undefined ? 'done' : 'cancelled')
    this.#step = new ManusStepRun(this.#plan, this.#clock, this.#stepIds, values)
    return this.#step
  }

  #toolEvent(values: EventValues): void {
    const step = this.#step ?? this.#newStep()
    step.call(values, this.#since)
  }

  #waitEvent(): void {
    this.#answer()
    this.#wait = (this.#step?.agent ?? this.#plan).startWait({ reason: 'form_input' })
    this.#stepWaits = true
  }

  #answer(): void {
    this.#wait?.answer({ resolution: 'submitted' })
    this.#wait?.end()
    this.#wait = undefined
  }

  #done(): void {
    const isOver = this.#completed || (!this.#planned && this.#step?.stepId === undefined)
    const summary = textOf(this.#held?.content)
    if (isOver && summary !== undefined) this.#plan.summary(summary)
    else this.#release()
    this.#leave(isOver ? 'done' : 'cancelled')
  }

  #leaveStep(leave: Leave): void {
    this.#step?.leave(leave)
    this.#step = undefined
  }

  /** Ends all that is open, the plan last. */
  #leave(leave: Leave): void {
    if (this.#wait) endSpan(this.#wait, typeof leave === 'object' ? 'cancelled' : leave)
    this.#leaveStep(leave)
    endSpan(this.#plan, leave)
    this.#isOver = true
  }
}
