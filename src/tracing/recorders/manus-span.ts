import {
  type EventValues,
  EXECUTOR,
  type PlanActEvent,
  type PlanSink,
  type SinkRole,
  type SpanEnd,
  type SpanSink,
} from '../../mapping/dialects/plan-act/index.js'
import { EVENTS, isOver, type State } from '../../semconv/index.js'
import { LiveAgent } from '../live-agent.js'
import { LiveCycle } from '../live-cycle.js'
import type { LivePlan } from '../live-plan.js'
import { LivePlanning } from '../live-planning.js'
import type { LiveSpan } from '../live-span.js'
import { LiveTool } from '../live-tool.js'
import { LiveWait } from '../live-wait.js'
import { fieldValues } from './field-values.js'
import { hrTimeOf, type RecordedClock } from './recorded-clock.js'

const BEGIN: Record<SinkRole, (above: LiveSpan, values: EventValues) => LiveSpan> = {
  planning: (above, { planner, stepsJson }) => new LivePlanning(above, fieldValues({ planner, stepsJson })),
  agent: (above, values) => new LiveAgent(above, agentValues({ ...values, step: values['stepIndex'] })),
  think_act: (above) => new LiveCycle(above, EXECUTOR),
  tool: (above, values) => new LiveTool(above, { name: '', ...fieldValues(values) }),
  wait: (above, values) => new LiveWait(above, fieldValues(values)),
}

/** Keeps ManusX's own status of the agent's step. */
const agentValues = (values: EventValues): object => ({ ...fieldValues(values), status: values['status'] })

/** A live span of a recorded session. */
class ManusSpan<S extends LiveSpan> implements SpanSink {
  protected readonly span: S
  readonly #clock: RecordedClock

  constructor(span: S, clock: RecordedClock) {
    this.span = span
    this.#clock = clock
  }

  begin(role: SinkRole, values: EventValues, time: bigint | undefined, since = time): SpanSink {
    const begin = (): LiveSpan => BEGIN[role](this.span, values)
    const span = since === undefined ? begin() : this.#clock.at(hrTimeOf(since), begin)
    if (span instanceof LivePlanning) span.steps(Array.isArray(values['steps']) ? values['steps'] : [])
    return new ManusSpan(span, this.#clock)
  }

  /** Sets values and the state; a final state appears as running until the live span ends. */
  set(values: EventValues, state?: State): void {
    this.span.write(this.span instanceof LiveAgent ? agentValues(values) : fieldValues(values))
    if (state !== undefined) this.span.stand(isOver(state) ? 'running' : state)
  }

  event(_event: PlanActEvent, _name: string, _values?: EventValues): void {}

  end(state: State, { error }: SpanEnd = {}): void {
    if (state === 'failed') this.span.fail({ message: error })
    else if (state === 'interrupted') this.span.interrupt()
    else {
      if (state === 'cancelled') this.span.cancel()
      this.span.end()
    }
  }
}

/** The live plan of a recorded session. */
export class ManusPlan extends ManusSpan<LivePlan> implements PlanSink {
  setCarried({ sessionTitle, ...values }: EventValues): EventValues {
    this.span.write({ title: sessionTitle, ...fieldValues(values) })
    return { stepsJson: values['stepsJson'], steps: values['steps'] }
  }

  /** Records messages, which are stored only here; the spans cover all other events. */
  override event(_event: PlanActEvent, name: string, { role, content, contentIn }: EventValues = {}): void {
    if (name !== EVENTS.message || contentIn !== undefined) return
    this.span.message({ role: typeof role === 'string' ? role : '', content })
  }
}
