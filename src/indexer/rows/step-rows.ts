import { durationOf, errorTextOf, type PlanFacts, type PlannedStep, type TraceFacts } from '../../mapping/index.js'
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

/** Returns the total duration of the agents, milliseconds. Null without an agent that is over and has times. */
function workedMs({ agents }: PlannedStep): number | null {
  const durations = agents.flatMap((agent) => durationOf(agent) ?? [])
  return durations.length === 0 ? null : durations.reduce((sum, duration) => sum + Number(duration) / 1e6, 0)
}
