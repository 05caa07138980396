import { endOf, errorMessageOf, type PlanFacts, type PlannedStep, type TraceFacts } from '../../mapping/index.js'
import { ATTR } from '../../semconv/index.js'
import type { StepRowValues } from '../../store/index.js'

/** The rows of a plan's steps. */
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
        Timestamp: span.startTimeUnixNano,
        TraceId: span.traceId,
        PlanId: plan.planId,
        StepIndex: step.index,
        RootPlanId: plan.rootPlanId,
        ServiceName: span.serviceName,
        StepId: step.id ?? '',
        Title: step.title,
        State: step.state ?? '',
        InterruptedAt: last && interruptions.get(last),
        AgentName: last?.span.attributes[ATTR.agentName] ?? '',
        Attempts: step.agents.length,
        StartedAt: step.agents[0]?.span.startTimeUnixNano,
        DurationMs: durationOf(step),
        ErrorMessage: last ? errorMessageOf(last) : '',
      }
    })

/** How long the agents that have ended took, milliseconds; undefined where none has, or no times were recorded. */
function durationOf({ agents }: PlannedStep): number | undefined {
  const timed = agents.filter(
    ({ span }) =>
      !span.pending && !(span.attributes[ATTR.timeSynthetic] === 'true' && endOf(span) === span.startTimeUnixNano),
  )
  if (timed.length === 0) return undefined
  return timed.reduce((sum, { span }) => sum + Number(endOf(span) - span.startTimeUnixNano) / 1e6, 0)
}
