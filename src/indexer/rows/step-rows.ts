import { endOf, errorTextOf, type PlanFacts, type PlannedStep, type TraceFacts } from '../../mapping/index.js'
import { ATTR } from '../../semconv/index.js'
import { dateTime, type StepRowValues } from '../../store/index.js'
import { maybeTime } from './json-values.js'

/** Returns the rows of a plan's steps. */
export const stepRows = (
  { plan, work }: PlanFacts,
  { interruptions }: TraceFacts,
): Omit<StepRowValues, 'Version' | 'Gone'>[] =>
  work.steps
    .filter(({ index }) => index >= 0 && index < 2 ** 32)
    .map((step) => {
      const { span } = plan.head
      const last = step.agents.at(-1)
      return {
        Timestamp: dateTime(span.startTimeUnixNano),
        TraceId: span.traceId,
        PlanId: plan.planId,
        StepIndex: step.index,
        RootPlanId: plan.rootPlanId,
        ServiceName: span.serviceName,
        StepId: step.id ?? '',
        Title: step.title,
        State: step.state ?? '',
        InterruptedAt: maybeTime(last && interruptions.get(last)),
        AgentName: last?.span.attributes[ATTR.agentName] ?? '',
        Attempts: step.agents.length,
        StartedAt: maybeTime(step.agents[0]?.span.startTimeUnixNano),
        DurationMs: workedMs(step),
        ErrorMessage: last ? errorTextOf(last) : '',
      }
    })

/** Returns the total duration of the ended agents, milliseconds; null without ended agents or recorded times. */
function workedMs({ agents }: PlannedStep): number | null {
  const timed = agents.filter(
    ({ span }) =>
      !span.pending && !(span.attributes[ATTR.timeSynthetic] === 'true' && endOf(span) === span.startTimeUnixNano),
  )
  if (timed.length === 0) return null
  return timed.reduce((sum, { span }) => sum + Number(endOf(span) - span.startTimeUnixNano) / 1e6, 0)
}
