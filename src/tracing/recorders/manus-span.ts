import {
  type EventValues,
  EXECUTOR,
  type PlanActEvent,
  type PlanSink,
  SESSION_EVENT_FIELDS,
  type SinkRole,
  type SpanEnd,
  spanEventValues,
  type SpanSink,
  USUAL_STATUS,
} from '../../mapping/dialects/plan-act/index.js'
import { EVENTS, isOver, type State } from '../../semconv/index.js'
import { LiveAgent } from '../live-agent.js'
import { LiveCycle } from '../live-cycle.js'
import { recordedFields } from '../live-fields.js'
import type { LivePlan } from '../live-plan.js'
import { LivePlanning } from '../live-planning.js'
import type { LiveSpan } from '../live-span.js'
import { LiveTool } from '../live-tool.js'
import { LiveWait } from '../live-wait.js'
import { hrTimeOf, type RecordedClock } from './recorded-clock.js'
import { writeRecorded } from './recorded-values.js'

const BEGIN: Record<SinkRole, (above: LiveSpan, values: Readonly<Record<string, never>>) => LiveSpan> = {
  planning: (above, { planner }) => new LivePlanning(above, { planner }),
  agent: (above, { name, stepIndex, stepId }) => new LiveAgent(above, { name, step: stepIndex, stepId }),
  think_act: (above) => new LiveCycle(above, EXECUTOR),
  tool: (above, { name = '', callId }) => new LiveTool(above, { name, callId }),
  wait: (above, { reason }) => new LiveWait(above, { reason }),
}

const EVENT_FIELDS = recordedFields(SESSION_EVENT_FIELDS)

/** A live span of a recorded session. */
class ManusSpan<S extends LiveSpan> implements SpanSink {
  protected span: S
  readonly #role: SinkRole | 'plan'
  readonly #clock: RecordedClock

  constructor(role: SinkRole | 'plan', span: S, clock: RecordedClock) {
    this.#role = role
    this.span = span
    this.#clock = clock
  }

  begin(role: SinkRole, values: EventValues, time: bigint | undefined, since = time): SpanSink {
    const begin = (): LiveSpan => BEGIN[role](this.span, values as Readonly<Record<string, never>>)
    const span = since === undefined ? begin() : this.#clock.at(hrTimeOf(since), begin)
    if (span instanceof LivePlanning) span.steps(Array.isArray(values['steps']) ? values['steps'] : [])
    const sink = new ManusSpan(role, span, this.#clock)
    // A live plan counts its own revisions.
    sink.set({ ...values, revision: undefined })
    return sink
  }

  /** Sets values and the state; a final state appears as running until the live span ends. */
  set(values: EventValues, state?: State): void {
    writeRecorded(this.span, this.#role, values)
    if (state !== undefined) this.span.stand(isOver(state) ? 'running' : state)
  }

  event(event: PlanActEvent, name: string, values: EventValues = {}): void {
    this.span.recordEvent(name, ownValues(event, name, values), EVENT_FIELDS)
  }

  end(state: State, { error }: SpanEnd = {}): void {
    if (state === 'failed') this.span.fail(error === undefined ? undefined : { message: error })
    else if (state === 'interrupted') this.span.interrupt()
    else {
      if (state === 'cancelled') this.span.cancel()
      this.span.end()
    }
  }
}

/** Returns the values of the span event. A status is left out if it is the default one. */
function ownValues(event: PlanActEvent, name: string, values: EventValues): EventValues {
  const usual = USUAL_STATUS.get(name)
  const { status, eventStatus } = event.values
  const statuses = usual === undefined ? {} : { eventStatus, status: status === usual ? undefined : status }
  return spanEventValues(event, { ...values, ...statuses })
}

/** The live plan of a recorded session. */
export class ManusPlan extends ManusSpan<LivePlan> implements PlanSink {
  #failed = false

  constructor(span: LivePlan, clock: RecordedClock) {
    super('plan', span, clock)
  }

  /** Continues with the plan's next segment. */
  continue(span: LivePlan): void {
    this.span = span
    this.#failed = false
  }

  /** Sets the latest values on the plan. Each event keeps its own, because the next event may replace those. */
  setCarried(values: EventValues): EventValues {
    const { sessionTitle, recordId: _, ...carried } = values
    this.set({ title: sessionTitle, ...carried })
    return values
  }

  override event(event: PlanActEvent, name: string, values: EventValues = {}): void {
    if (name !== EVENTS.exception) return super.event(event, name, values)
    this.#failed = true
    this.span.recordError({ message: values['error'] }, spanEventValues(event, values), EVENT_FIELDS)
  }

  override end(state: State, how: SpanEnd = {}): void {
    if (this.#failed) this.span.end()
    else super.end(state, how)
  }
}
