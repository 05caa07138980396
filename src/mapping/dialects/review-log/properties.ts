import { agent, list, nested, orNull, part, plan, tool, type Form } from '../../record-object/index.js'
import { jsonObject, jsonString, member, stringOf, tryParseJson, compactJson } from '../../json/index.js'

/** A search's query ⇄ the arguments of the tool call, `{"query": …}`. */
const queryForm: Form<string> = {
  read: (node) => (node.kind === 'string' ? compactJson(jsonObject([['query', jsonString(node.value)]])) : undefined),
  write: (value) => {
    const query = stringOf(member(tryParseJson(value), 'query'))
    return query === undefined ? undefined : jsonString(query)
  },
}

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

/** ResearcherMetrics, on the span of the agent whose telemetry the planner records. */
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
