import { toValue } from '../../mapping/json/index.js'
import { planRunRecordSchema, type PlanRunRecord } from '../../records/index.js'
import { styled, styledState } from '../terminal.js'
import { alignColumns, oneLine } from '../text-layout.js'
import type { PlannerRun, Risk } from './planner-run.js'

/** A run for people: state, request, goal, tokens, risk, then steps, reviews and research, one line each. */
export function replayLines({ run, state, usage, risk }: PlannerRun): string[] {
  const parsed = planRunRecordSchema.safeParse(toValue(run))
  const record = parsed.success ? parsed.data : undefined
  return [
    ...section('', [
      ['state', styledState(state)],
      ...(record ? headOf(record) : []),
      ...(usage ? [['tokens', `${String(usage.inputTokens)} → ${String(usage.outputTokens)}`]] : []),
      ...(risk ? [['risk', riskText(risk)]] : []),
    ]),
    ...(record ? detailsOf(record) : []),
  ]
}

const headOf = ({ question, locale, context = '', plan }: PlanRunRecord): string[][] =>
  [
    ['question', question],
    ['locale', locale],
    ['context', context],
    ['topic', plan.topic],
    ['goal', plan.goal],
  ].filter(([, text]) => text !== '')

function detailsOf({ plan, review_log: reviews = [], telemetry }: PlanRunRecord): string[] {
  const researcher = telemetry?.researcher
  return [
    ...section(
      'steps',
      plan.steps.map((step) => [step.id, step.step_type, step.status ?? '', step.title]),
    ),
    ...section(
      'reviews',
      reviews.map(({ attempt, action, feedback = '' }) => [String(attempt), action, feedback]),
    ),
    ...section(
      'research',
      researcher
        ? [
            ['in all', `${String(researcher.total_calls)} calls`, ...figures(researcher)],
            ...(researcher.calls ?? []).map((call) => [call.step_id, call.query, ...figures(call)]),
          ]
        : [],
    ),
  ]
}

interface Figures {
  readonly note_count?: number
  readonly total_notes?: number
  readonly result_count?: number | null | undefined
  readonly total_results?: number | null | undefined
  readonly duration_seconds?: number | null | undefined
  readonly total_duration_seconds?: number | null | undefined
}

function figures(of: Figures): string[] {
  const results = of.result_count ?? of.total_results
  const seconds = of.duration_seconds ?? of.total_duration_seconds
  return [
    `${String(of.note_count ?? of.total_notes ?? 0)} notes`,
    typeof results === 'number' ? `${String(results)} results` : '',
    typeof seconds === 'number' ? `${String(seconds)} s` : '',
  ]
}

function riskText({ maxScore, assessments, unsafe, policies }: Risk): string {
  const highest = maxScore === undefined ? '' : `highest ${String(maxScore)}, `
  const violated = policies.length > 0 ? `: ${policies.join(', ')}` : ''
  return `${highest}${String(unsafe)} of ${String(assessments)} unsafe${violated}`
}

/** Rows below a heading; nothing if there are none. */
function section(heading: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  const indent = heading === '' ? '' : '  '
  const lines = alignColumns(rows.map((row) => row.map((cell) => oneLine(cell)))).map((line) => `${indent}${line}`)
  return heading === '' ? lines : ['', styled('bold', heading), ...lines]
}
