import type { StepProgress } from '../mapping/index.js'
import type { State } from '../semconv/index.js'
import type { PlanFigures } from './page-figures.js'

export interface PlanSummary {
  readonly planId: string
  /** The id of the outermost plan; the plan's own id if the spans name no other. */
  readonly rootPlanId: string
  readonly traceId: string
  readonly live: boolean
  /** The imported record's dialect, source, key and digest; '' on a live plan. */
  readonly dialect: string
  /** The convention of a foreign trace, such as `openinference`; '' on a plan of planspan's own. */
  readonly convention: string
  readonly source: string
  readonly recordKey: string
  readonly digest: string
  readonly mappingVersion: number
  readonly redacted: boolean
  /** Whether the plan's own span is stored: not at all, only as snapshots, or ended. */
  readonly planSpan: 'missing' | 'pending' | 'final'
  /** `plan`, or `agent` for a standalone agent record; '' while the plan's span is missing. */
  readonly role: string
  /** The workflow, or the agent of a standalone agent record. */
  readonly name: string
  /** At most 500 characters each. */
  readonly title: string
  readonly request: string
  readonly state: State
  /** The source system's own word for the state. */
  readonly status: string
  readonly serviceName: string
  /** Start and end, nanoseconds since the Unix epoch; the end is the latest time in the plan and its sub-plans. */
  readonly startTimeUnixNano: bigint
  readonly endTimeUnixNano: bigint
  /** Since when it is known to wait, nanoseconds since the Unix epoch; undefined unless it waits. */
  readonly waitingSinceUnixNano: bigint | undefined
  /** How many steps it has, how many of them have begun, and how many are completed. */
  readonly stepCount: number
  readonly stepsBegun: number
  readonly stepsCompleted: number
  /** The title of the step at work, or of the last that was, else the last agent’s task; at most 500 characters. */
  readonly currentStep: string
  /** The number of spans of the plan and its sub-plans, without snapshots, and of those with an error. */
  readonly spans: number
  readonly errors: number
  /** The number of spans with an error and none right below: where something failed, not what failed with it. */
  readonly failures: number
  /** The tokens of all its model calls, read and written; where they tell so much, each by itself. */
  readonly tokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The input tokens that came from a cache. */
  readonly cacheReadTokens: number
  /** What those of them cost whose price is known, US dollars; undefined without any. */
  readonly costUsd: number | undefined
  /** The highest risk that a guardrail saw; undefined without any. */
  readonly risk: number | undefined
  /** How many actions were taken although a guardrail found them unsafe. */
  readonly unsafeTaken: number
}

/** A row of `queries/list_plans.sql` or `queries/list_foreign_plans.sql`. */
export interface PlanRow {
  planId: string
  rootPlanId: string
  traceId: string
  dialect: string
  source: string
  recordKey: string
  digest: string
  mappingVersion: number
  redacted: number
  planSpan: number
  start: string
  end: string
  state: State
  convention: string
  waitingSince: string | null
  /** What it is sorted by before its start. */
  rank: string
  /** Of a foreign trace alone, whose row tells all. */
  facts?: Facts
}

export type Facts = [role: string, name: string, title: string, request: string, status: string, serviceName: string]

const PLAN_SPAN = ['missing', 'pending', 'final'] as const

/** What is read of a plan beyond what it is chosen by. */
export interface PlanDetails {
  readonly facts: Facts
  readonly steps: StepProgress
  readonly figures: PlanFigures
  readonly unsafeTaken: number
}

/** Converts what is read of a plan to its summary. */
export function toSummary(row: PlanRow, { facts, steps, figures, unsafeTaken }: PlanDetails): PlanSummary {
  const [role, name, title, request, status, serviceName] = facts
  const { start, end, redacted, planSpan, waitingSince, facts: _, rank: _rank, ...rest } = row
  const { unsafeBelow: _below, ...sums } = figures
  return {
    ...rest,
    live: row.dialect === '',
    redacted: redacted !== 0,
    planSpan: PLAN_SPAN[planSpan] ?? 'missing',
    role,
    name,
    title,
    request,
    status,
    serviceName,
    startTimeUnixNano: BigInt(start),
    endTimeUnixNano: BigInt(end),
    waitingSinceUnixNano: waitingSince === null ? undefined : BigInt(waitingSince),
    stepCount: steps.count,
    stepsBegun: steps.begun,
    stepsCompleted: steps.completed,
    currentStep: [...steps.current].slice(0, 500).join(''),
    ...sums,
    unsafeTaken,
  }
}
