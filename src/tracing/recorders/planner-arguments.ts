/** A step of a planner's plan (PlanStep). */
export interface PlannerStep {
  id: string
  title: string
  /** `RESEARCH`, `PROCESS`, `SYNTHESIZE` or `REVIEW`. */
  step_type?: string | undefined
  expected_outcome?: string | undefined
  /** `PENDING`, `IN_PROGRESS`, `COMPLETED` or `BLOCKED`. */
  status?: string | undefined
  /** A researcher's notes: `source`, `claim`, `evidence`, `confidence`, `todo`. */
  notes?: readonly object[] | undefined
  references?: readonly string[] | undefined
  execution_result?: string | null | undefined
}

/** A planner's plan (Plan). */
export interface PlannerPlan {
  topic?: string | undefined
  goal?: string | undefined
  steps: readonly PlannerStep[]
  assumptions?: readonly string[] | undefined
  risks?: readonly string[] | undefined
  metadata?: PlannerMetadata | null | undefined
}

/** What a plan may cost, and who reviews it (PlanMetadata). */
export interface PlannerMetadata {
  locale?: string | null | undefined
  reviewer?: string | null | undefined
  budget_tokens?: number | null | undefined
  budget_cost_usd?: number | null | undefined
}

/** A decision of a reviewer (ReviewLogEntry). */
export interface PlannerReview {
  /** The number of the reviewed attempt, from 1. */
  attempt?: number | undefined
  action: 'ACCEPT_PLAN' | 'REQUEST_CHANGES' | 'ABORT'
  feedback?: string | undefined
}

/** A search of the researcher (ResearcherCallLog). */
export interface PlannerSearch {
  step_id: string
  query: string
  note_count?: number | undefined
  duration_seconds?: number | null | undefined
  result_count?: number | null | undefined
  applied_max_results?: number | null | undefined
  applied_max_notes?: number | null | undefined
  degradation_mode?: string | null | undefined
}

/** The telemetry of a run (RunTelemetry). */
export interface PlannerTelemetry {
  researcher?: {
    total_calls?: number | undefined
    total_notes?: number | undefined
    total_duration_seconds?: number | null | undefined
    total_results?: number | null | undefined
    degradation_modes?: readonly string[] | undefined
    calls?: readonly PlannerSearch[] | undefined
  } | null
}
