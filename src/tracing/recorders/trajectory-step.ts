import type { HrTime } from '@opentelemetry/api'
import type { SpanDraft } from '../../mapping/index.js'
import type { stepErrors } from '../../mapping/dialects/trajectory/index.js'
import {
  EVENTS,
  exceptionFields,
  type FieldValues,
  type guardrailFields,
  type toolFields,
} from '../../semconv/index.js'
import type { LiveAgent } from '../live-agent.js'
import type { LiveCycle } from '../live-cycle.js'
import { recordedFields } from '../live-fields.js'
import type { LiveGuardrail } from '../live-guardrail.js'
import { earlier, hrTimeOf, later, unixNanoOf, type RecordedClock } from './recorded-clock.js'
import { writeRecorded } from './recorded-values.js'

const UNNAMED_ACTION = 'action'
/** A longer step began before 1970. */
const MAX_SECONDS = 1e10
const ERROR_FIELDS = recordedFields(exceptionFields)

interface StepTimes {
  readonly start: HrTime
  readonly end: HrTime
}

/** A step of a trajectory: its spans, and its errors with their times and actions. */
interface RecordedStep {
  readonly draft: SpanDraft
  readonly errors: ReturnType<typeof stepErrors>
}

/** Records a step that has just ended as a cycle; returns the end time. */
export function recordStep(
  agent: LiveAgent,
  clock: RecordedClock,
  { draft: step, errors }: RecordedStep,
  lastEnd: HrTime,
): HrTime {
  const times = timesOf(step, clock.now(), lastEnd)
  const tools = step.children.filter(({ role }) => role === 'tool')
  const acting = tools.map((tool) => shifted(tool.start, step, times)).find((time) => time !== undefined) ?? times.end
  const cycle = clock.at(times.start, () => agent.startCycle())
  writeRecorded(cycle, 'think_act', step.values)
  for (const child of step.children) {
    if (child.role === 'llm') recordModelCall(cycle, clock, child, { start: times.start, end: acting })
    else if (child.role === 'guardrail') recordGuardrail(cycle, clock, child, acting)
    else if (child.role === 'tool') recordAction(cycle, clock, child, step, times)
  }
  const failure = errorOf(step)
  for (const { values, time } of errors) {
    clock.at(shifted(time, step, times) ?? times.end, () => {
      if (failure) cycle.recordError({ name: values.type, message: values.message }, values, ERROR_FIELDS)
      else cycle.recordEvent(EVENTS.exception, values, ERROR_FIELDS)
    })
  }
  clock.at(times.end, () => {
    if (failure && errors.length === 0) cycle.error(failure)
    writeRecorded(cycle, 'think_act', ownError(step))
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
  const { inputTokens, outputTokens, responseModel } = values
  const subject = typeof responseModel === 'string' ? responseModel : undefined
  const model = clock.at(start, () => parent.startModel({ model: subject }))
  clock.at(end, () => {
    writeRecorded(model, 'llm', values)
    model.usage({ input: numberOf(inputTokens), output: numberOf(outputTokens) })
    model.end()
  })
}

/** Records a guardrail, unless it repeats another assessment of its step. */
function recordGuardrail(cycle: LiveCycle, clock: RecordedClock, { values, children }: SpanDraft, at: HrTime): void {
  clock.at(at, () => {
    const { name, score, isSafe, explanation } = values as FieldValues<typeof guardrailFields>
    const guardrail = cycle.startGuardrail({ name })
    writeRecorded(guardrail, 'guardrail', values)
    if (score !== undefined && values['repeated'] !== true) guardrail.risk({ score, isSafe, explanation })
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
  const { name = UNNAMED_ACTION } = action.values as FieldValues<typeof toolFields>
  const tool = clock.at(start, () => cycle.startTool({ name }))
  writeRecorded(tool, 'tool', action.values)
  clock.at(later(end, start), () => {
    const error = errorOf(action)
    if (error) tool.error(error)
    writeRecorded(tool, 'tool', ownError(action))
    tool.end()
  })
}

/**
 * Returns the times of a step: it ends when it is recorded and lasted its stated duration, but began after the last
 * end.
 */
function timesOf({ values }: SpanDraft, end: HrTime, lastEnd: HrTime): StepTimes {
  const seconds = numberOf(values['durationSeconds']) ?? 0
  const nanos = seconds > 0 ? BigInt(Math.round(Math.min(seconds, MAX_SECONDS) * 1e9)) : 0n
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

/** The class and the message of a failure as recorded, also where they are empty. */
const ownError = ({ every: { errorType, errorMessage } }: SpanDraft): object => ({ errorType, errorMessage })

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
