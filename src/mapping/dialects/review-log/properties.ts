import { agent, list, nested, orNull, part, plan, tool } from '../../record-object/property.js'
import { queryForm } from './query-form.js'

/** PlanRunRecord, on the plan span. */
export const RUN = {
  timestamp: plan('writtenAt'),
  question: plan('request'),
  locale: plan('locale'),
  context: plan('context'),
  plan: nested({
    topic: plan('topic'),
    goal: plan('goal'),
    steps: plan('stepsJson'),
    assumptions: plan('assumptions'),
    risks: plan('risks'),
    metadata: nested({
      locale: plan('planLocale'),
      reviewer: plan('reviewer'),
      budget_tokens: plan('budgetTokens'),
      budget_cost_usd: plan('budgetCostUsd'),
    }),
  }),
  review_log: plan('reviewLog'),
  telemetry: orNull(nested({ researcher: part('agent') })),
}

/** ResearcherMetrics, on the agent span of the one agent whose telemetry the planner records. */
export const RESEARCHER = {
  total_calls: agent('totalCalls'),
  total_notes: agent('totalNotes'),
  total_duration_seconds: agent('totalDurationSeconds'),
  total_results: agent('totalResults'),
  degradation_modes: agent('degradationModes'),
  calls: list('tool'),
}

/** ResearcherCallLog, on a tool span. */
export const CALL = {
  step_id: tool('stepId'),
  query: tool('arguments', queryForm),
  note_count: tool('noteCount'),
  duration_seconds: tool('durationSeconds'),
  result_count: tool('resultCount'),
  applied_max_results: tool('appliedMaxResults'),
  applied_max_notes: tool('appliedMaxNotes'),
  degradation_mode: tool('degradationMode'),
}
