import { planFields } from '../semconv/index.js'
import { querySql, readRows, type QueryTarget } from './query.js'
import { attributeValue } from './stored-columns.js'

/** A plan of a trace. */
export interface PlanOfTrace {
  readonly traceId: string
  readonly planId: string
}

/** A wait, and when it was last heard of while it was open, Unix nanoseconds. */
export type OpenWait = readonly [id: string, lastHeard: string]

/** A row of `queries/page_plans.sql`: what is known of a plan by itself. */
export interface KnownPlan extends PlanOfTrace {
  /** '' for a plan that is its own root. */
  readonly rootPlanId: string
  readonly dialect: string
  readonly source: string
  readonly recordKey: string
  readonly digest: string
  /** Unix nanoseconds. */
  readonly start: string
  readonly end: string
  readonly planSpan: number
  /** Of `plan_states`, whose comment says what its bits are. */
  readonly latest: string
  readonly told: string
  readonly heartbeatMs: number
  readonly hasAgent: number
  readonly openWaits: readonly OpenWait[]
  readonly closedWaits: readonly string[]
  readonly facts: readonly [role: string, name: string, status: string, serviceName: string]
  readonly title: string
  readonly request: string
  readonly begun: readonly (number | string)[]
  readonly done: readonly (number | string)[]
  readonly task: string
  readonly steps: string
  readonly stepsJson: string
}

/** Reads what `plan_states` knows of some plans. */
export const readKnownPlans = (target: QueryTarget, plans: readonly PlanOfTrace[]): Promise<KnownPlan[]> =>
  readRows<KnownPlan>(target, querySql('page_plans', { database: target.database }), paramsOf(plans))

/** A row of `queries/page_steps.sql`: what a plan's own spans tell of its steps. */
export interface OwnSteps extends PlanOfTrace {
  readonly dialect: string
  /** The index of the step at work. */
  readonly current: number | string | null
  readonly steps: string
  readonly stepsJson: string
}

const CURRENT_STEP = attributeValue(planFields.currentStepIndex)

/** Reads what the own spans of some plans tell of their steps. */
export const readOwnSteps = (target: QueryTarget, plans: readonly PlanOfTrace[]): Promise<OwnSteps[]> => {
  const query = querySql('page_steps', { database: target.database, current_step: CURRENT_STEP })
  return readRows<OwnSteps>(target, query, paramsOf(plans))
}

/** The plans and their traces as the queries' parameters. */
export const paramsOf = (plans: readonly PlanOfTrace[]) => ({
  traceIds: tracesOf(plans),
  planIds: [...new Set(plans.map(({ planId }) => planId))],
})

export const tracesOf = (plans: readonly PlanOfTrace[]): string[] => [...new Set(plans.map(({ traceId }) => traceId))]
