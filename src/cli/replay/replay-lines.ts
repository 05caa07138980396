import { itemsOf, member, toValue, type JsonNode } from '../../mapping/json/index.js'
import { styled, styledState } from '../output/terminal.js'
import { alignColumns, oneLine } from '../output/text-layout.js'
import type { PlannerRun, Risk } from './planner-run.js'

/** Formats a run for people: state, request, goal, tokens, risk, then steps, reviews and research, one line each. */
export function replayLines({ run, state, usage, risk }: PlannerRun): string[] {
  const plan = member(run, 'plan')
  const heads = [
    ['question', textOf(member(run, 'question'))],
    ['locale', textOf(member(run, 'locale'))],
    ['context', textOf(member(run, 'context'))],
    ['topic', textOf(member(plan, 'topic'))],
    ['goal', textOf(member(plan, 'goal'))],
  ].filter(([, text]) => text !== '')
  const researcher = member(member(run, 'telemetry'), 'researcher')
  return [
    ...alignColumns([
      ['state', styledState(state)],
      ...heads,
      ['tokens', usage ? `${String(usage.inputTokens)} → ${String(usage.outputTokens)}` : 'none recorded'],
      ['risk', risk ? riskText(risk) : 'not assessed'],
    ]),
    ...section('steps', rowsOf(member(plan, 'steps'), ['id', 'step_type', 'status', 'title'])),
    ...section('reviews', rowsOf(member(run, 'review_log'), ['attempt', 'action', 'feedback'])),
    ...section('research', researcher?.kind === 'object' ? researchRows(researcher) : []),
  ]
}

const rowsOf = (list: JsonNode | undefined, names: readonly string[]): string[][] =>
  itemsOf(list).map((item) => names.map((name) => textOf(member(item, name))))

const researchRows = (researcher: JsonNode): string[][] => [
  [
    'in all',
    `${textOf(member(researcher, 'total_calls'))} calls`,
    ...figures(researcher, ['total_notes', 'total_results', 'total_duration_seconds']),
  ],
  ...itemsOf(member(researcher, 'calls')).map((call) => [
    textOf(member(call, 'step_id')),
    textOf(member(call, 'query')),
    ...figures(call, ['note_count', 'result_count', 'duration_seconds']),
  ]),
]

/** The figures of an object, with their units; empty if missing. */
function figures(of: JsonNode, [notes, results, seconds]: readonly [string, string, string]): string[] {
  const withUnit = (name: string, unit: string): string => {
    const text = textOf(member(of, name))
    return text === '' ? '' : `${text} ${unit}`
  }
  return [withUnit(notes, 'notes'), withUnit(results, 'results'), withUnit(seconds, 's')]
}

function riskText({ maxScore, assessments, unsafe, policies }: Risk): string {
  const highest = maxScore === undefined ? '' : `highest ${String(maxScore)}, `
  const violated = policies.length > 0 ? `: ${oneLine(policies.join(', '))}` : ''
  return `${highest}${String(unsafe)} of ${String(assessments)} unsafe${violated}`
}

/** A value of the record on one line; empty for null. */
function textOf(node: JsonNode | undefined): string {
  const value = node === undefined ? null : toValue(node)
  if (value === null) return ''
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Rows below a heading; nothing if there are none. */
function section(heading: string, rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return []
  return ['', styled('bold', heading), ...alignColumns(rows).map((line) => `  ${line}`)]
}
