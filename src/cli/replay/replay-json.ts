import {
  bare,
  itemsOf,
  jsonArray,
  jsonFromValue,
  jsonLiteral,
  type JsonMember,
  type JsonNode,
  jsonNumber,
  jsonObject,
  jsonString,
  member,
  writeJsonDocument,
} from '../../mapping/json/index.js'
import type { PlannerRun } from './planner-run.js'
import type { Selection } from './select-record.js'

const NULL = jsonLiteral(null)
const EMPTY = jsonString('')
const NONE = jsonArray([])

const STEP = { id: NULL, title: NULL, step_type: NULL, expected_outcome: NULL }
const REVIEW = { attempt: NULL, action: NULL, feedback: EMPTY }
const CALL = {
  step_id: NULL,
  query: NULL,
  note_count: NULL,
  duration_seconds: NULL,
  result_count: NULL,
  applied_max_results: NULL,
  applied_max_notes: NULL,
  degradation_mode: NULL,
}
const METRICS = {
  total_calls: NULL,
  total_notes: NULL,
  total_duration_seconds: NULL,
  total_results: NULL,
  degradation_modes: NONE,
  calls: NONE,
}

/** The JSON that the planner's own `replay_review_log.py` writes; for other dialects also state, tokens and risk. */
export function replayJson(name: string, selection: Selection, planner: PlannerRun | undefined): string {
  const { available, index, invalid } = selection
  const document = jsonObject([
    ['log_path', jsonString(name)],
    ['records_available', jsonNumber(String(available))],
    ['selected_index', planner ? jsonNumber(String(index)) : NULL],
    ['missing_file', jsonLiteral(false)],
    ['validation_errors', jsonFromValue(invalid.map(({ line, error }) => ({ line, error })))],
    ['selected_record', planner ? jsonObject(detailOf(planner)) : NULL],
  ])
  return writeJsonDocument(document, { indent: '  ', colon: ' ' })
}

/** The JSON for a missing file. */
export const missingJson = (name: string): string =>
  JSON.stringify(
    {
      log_path: name,
      records_available: 0,
      selected_index: null,
      missing_file: true,
      validation_errors: [],
      selected_record: null,
    },
    null,
    2,
  )

function detailOf({ dialect, run, state, usage, risk }: PlannerRun): [string, JsonNode][] {
  const plan = member(run, 'plan')
  const steps = itemsOf(member(plan, 'steps'))
  const researcher = member(member(run, 'telemetry'), 'researcher')
  const detail: [string, JsonNode][] = [
    ['question', trimmed(member(run, 'question'))],
    ['locale', trimmed(member(run, 'locale'))],
    ['context', trimmed(member(run, 'context') ?? EMPTY)],
    ['plan_goal', bare(member(plan, 'goal') ?? NULL)],
    ['step_count', jsonNumber(String(steps.length))],
    ['steps', jsonArray(steps.map((step) => picked(step, STEP)))],
    ['review_actions', jsonArray(itemsOf(member(run, 'review_log')).map((review) => picked(review, REVIEW)))],
  ]
  if (researcher?.kind === 'object') {
    const calls = jsonArray(itemsOf(member(researcher, 'calls')).map((call) => picked(call, CALL)))
    const metrics = picked(researcher, METRICS)
    detail.push(['researcher_metrics', replaced(metrics, 'calls', calls)])
  }
  if (dialect === 'review-log') return detail
  return [
    ...detail,
    ['dialect', jsonString(dialect)],
    ['state', jsonString(state)],
    ['usage', usage ? jsonFromValue({ ...usage }) : NULL],
    ['risk', risk ? jsonFromValue({ ...risk }) : NULL],
  ]
}

/** Returns an object's members that have defaults, in their order, followed by the defaults of missing ones. */
function picked(node: JsonNode, defaults: Readonly<Record<string, JsonNode>>): JsonNode {
  const own = node.kind === 'object' ? node.members : []
  const present = own.filter(({ key }) => Object.hasOwn(defaults, key.value))
  const missing = Object.entries(defaults).filter(([name]) => !present.some(({ key }) => key.value === name))
  return jsonObject([
    ...present.map(({ key, value }: JsonMember) => [key.value, tidied(key.value, value)] as const),
    ...missing,
  ])
}

/** Trims feedback, like the planner's script. */
const tidied = (key: string, value: JsonNode): JsonNode => (key === 'feedback' ? trimmed(value) : bare(value))

const replaced = (node: JsonNode, name: string, value: JsonNode): JsonNode =>
  node.kind === 'object'
    ? jsonObject(
        node.members.map((entry) => [entry.key.value, entry.key.value === name ? value : entry.value] as const),
      )
    : node

const trimmed = (node: JsonNode | undefined): JsonNode =>
  node?.kind === 'string' ? jsonString(node.value.trim()) : node ? bare(node) : NULL
