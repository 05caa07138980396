import type { Role, ROLE_FIELDS } from '../../../semconv/index.js'
import { intForm, jsonForm, pythonFloatForm, textForm, textListForm, type Form } from '../../form.js'
import type { Property } from '../../shape.js'
import { queryForm } from './query-form.js'

const own =
  <R extends Role>() =>
  (field: keyof (typeof ROLE_FIELDS)[R] & string, form: Form = textForm): Property => ({ field, form })

const plan = own<'plan'>()
const agent = own<'agent'>()
const tool = own<'tool'>()

/** PlanRunRecord on the plan span; `telemetry` follows it. */
export const runShape = {
  timestamp: plan('writtenAt'),
  question: plan('request'),
  locale: plan('locale'),
  context: plan('context'),
  plan: {
    topic: plan('topic'),
    goal: plan('goal'),
    steps: plan('stepsJson', jsonForm),
    assumptions: plan('assumptions', textListForm),
    risks: plan('risks', textListForm),
    metadata: {
      locale: plan('planLocale'),
      reviewer: plan('reviewer'),
      budget_tokens: plan('budgetTokens', intForm),
      budget_cost_usd: plan('budgetCostUsd', pythonFloatForm),
    },
  },
  review_log: plan('reviewLog', jsonForm),
} as const

/** ResearcherMetrics on the agent span; `calls` follows it. */
export const researcherShape = {
  total_calls: agent('totalCalls', intForm),
  total_notes: agent('totalNotes', intForm),
  total_duration_seconds: agent('totalDurationSeconds', pythonFloatForm),
  total_results: agent('totalResults', intForm),
  degradation_modes: agent('degradationModes', textListForm),
} as const

/** ResearcherCallLog on a tool span. */
export const callShape = {
  step_id: tool('stepId'),
  query: tool('arguments', queryForm),
  note_count: tool('noteCount', intForm),
  duration_seconds: tool('durationSeconds', pythonFloatForm),
  result_count: tool('resultCount', intForm),
  applied_max_results: tool('appliedMaxResults', intForm),
  applied_max_notes: tool('appliedMaxNotes', intForm),
  degradation_mode: tool('degradationMode'),
} as const
