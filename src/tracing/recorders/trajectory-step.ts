import type { HrTime } from '@opentelemetry/api'
import type { SpanDraft } from '../../mapping/index.js'
import type { LiveAgent } from '../live-agent.js'
import type { LiveCycle } from '../live-cycle.js'
import type { LiveGuardrail } from '../live-guardrail.js'
import { fieldValues } from './field-values.js'
import { earlier, hrTimeOf, later, unixNanoOf, type RecordedClock } from './recorded-clock.js'

const UNNAMED_ACTION = 'action'

interface StepTimes {
  readonly start: HrTime
  readonly end: HrTime
}

/** Records a step that has just ended as a cycle; returns the end time. */
export function recordStep(agent: LiveAgent, clock: RecordedClock, step: SpanDraft, lastEnd: HrTime): HrTime {
  const times = timesOf(step, clock.now(), lastEnd)
  const tools = step.children.filter(({ role }) => role === 'tool')
  const acting = tools.map((tool) => shifted(tool.start, step, times)).find((time) => time !== undefined) ?? times.end
  const cycle = clock.at(times.start, () => agent.startCycle(fieldValues(step.values)))
  for (const child of step.children) {
    if (child.role === 'llm') recordModelCall(cycle, clock, child, { start: times.start, end: acting })
    else if (child.role === 'guardrail') recordGuardrail(cycle, clock, child, acting)
    else if (child.role === 'tool') recordAction(cycle, clock, child, step, times)
  }
  clock.at(times.end, () => {
    const error = errorOf(step)
    if (error) cycle.error(error)
    cycle.end()
  })
  return times.end
}

function recordModelCall(
  parent: LiveCycle | LiveGuardrail,
  clock: RecordedClock,
  { values }: SpanDraft,
  { start, end }: StepTimes,
): void {
  const { inputTokens, outputTokens, output, responseModel, ...rest } = values
  const subject = typeof responseModel === 'string' ? responseModel : undefined
  const options = { ...fieldValues({ ...rest, responseModel }), model: subject }
  const model = clock.at(start, () => parent.startModel(options))
  clock.at(end, () => {
    if (output !== undefined) model.output(output)
    model.usage({ input: numberOf(inputTokens), output: numberOf(outputTokens) })
    model.end()
  })
}

/** Records a guardrail, unless it repeats another assessment of its step. */
function recordGuardrail(cycle: LiveCycle, clock: RecordedClock, { values, children }: SpanDraft, at: HrTime): void {
  clock.at(at, () => {
    const guardrail = cycle.startGuardrail(fieldValues(values))
    const { name: _, ...risk } = values
    if (values['score'] !== undefined && values['repeated'] !== true) guardrail.risk(fieldValues(risk))
    for (const call of children) recordModelCall(guardrail, clock, call, { start: at, end: at })
    guardrail.end()
  })
}

function recordAction(
  cycle: LiveCycle,
  clock: RecordedClock,
  action: SpanDraft,
  step: SpanDraft,
  times: StepTimes,
): void {
  const start = shifted(action.start, step, times) ?? times.end
  const end = shifted(action.end, step, times) ?? times.end
  const options = { name: UNNAMED_ACTION, ...fieldValues(action.values) }
  const tool = clock.at(start, () => cycle.startTool(options))
  clock.at(later(end, start), () => {
    const error = errorOf(action)
    if (error) tool.error(error)
    tool.end()
  })
}

/**
 * Returns the times of a step: it ends when it is recorded and lasted its stated duration, but began after the last
 * end.
 */
function timesOf({ values }: SpanDraft, end: HrTime, lastEnd: HrTime): StepTimes {
  const seconds = numberOf(values['durationSeconds']) ?? 0
  const nanos = Number.isFinite(seconds) && seconds > 0 ? BigInt(Math.round(seconds * 1e9)) : 0n
  const statedStart = unixNanoOf(end) - nanos
  return { start: statedStart > 0n ? earlier(later(hrTimeOf(statedStart), lastEnd), end) : lastEnd, end }
}

/** A local time of the record, shifted by its distance from the end of the step. */
function shifted(time: bigint | undefined, step: SpanDraft, { start, end }: StepTimes): HrTime | undefined {
  if (time === undefined || step.end === undefined) return undefined
  return later(earlier(hrTimeOf(unixNanoOf(end) - (step.end - time)), end), start)
}

function errorOf({ every }: SpanDraft): { name?: string; message?: string } | undefined {
  const { errorType, errorMessage } = every
  if (errorType === undefined && errorMessage === undefined) return undefined
  return {
    ...(errorType === undefined ? {} : { name: errorType }),
    ...(errorMessage === undefined ? {} : { message: errorMessage }),
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
