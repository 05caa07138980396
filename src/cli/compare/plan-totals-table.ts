import { styled, styledState } from '../output/terminal.js'
import type { ComparisonJson } from '../../wire/index.js'
import { alignColumns, cutToWidth, displayWidth, oneLine } from '../output/text-layout.js'
import { planLetter, shownCost, shownCount, shownDuration, shownRisk } from './figures.js'

type Plan = ComparisonJson['plans'][number]

/** The totals of a plan, one line each; a line without a value for any plan is left out. */
const LINES: readonly (readonly [name: string, shown: (plan: Plan) => string])[] = [
  ['state', ({ state }) => styledState(state)],
  ['title', ({ title }) => oneLine(title ?? '-')],
  ['start', ({ startTime }) => startTime.slice(0, 19).replace('T', ' ')],
  ['duration', ({ durationMs }) => shownDuration(durationMs)],
  ['steps', ({ steps }) => String(steps)],
  ['agents', ({ agents }) => String(agents)],
  ['cycles', ({ cycles }) => String(cycles)],
  ['model calls', ({ modelCalls }) => String(modelCalls)],
  ['tool calls', ({ toolCalls }) => String(toolCalls)],
  ['waits', ({ waits }) => String(waits)],
  ['sub-plans', ({ subPlans }) => String(subPlans)],
  ['errors', ({ errors }) => String(errors)],
  ['tokens', ({ tokens }) => shownCount(tokens)],
  ['cost', ({ costUsd }) => shownCost(costUsd)],
  ['risk', ({ risk }) => shownRisk(risk)],
  ['judged', ({ judged }) => String(judged)],
  ['unsafe', ({ unsafe }) => String(unsafe)],
  ['unsafe, stopped', ({ unsafeStopped }) => String(unsafeStopped)],
  ['unsafe, taken', ({ unsafeTaken }) => String(unsafeTaken)],
]

const NAMES = 18
const MIN_CELL = 10

/** Formats the totals of plans, one column each below their ids. */
export function totalsTable(plans: readonly Plan[], width: number): string[] {
  const room = Math.max(MIN_CELL, Math.floor((width - NAMES) / plans.length) - 2)
  const lines = LINES.map(([name, shown]) => [name, ...plans.map(shown)]).filter(([, ...cells]) =>
    cells.some((cell) => cell !== '-' && cell !== '0'),
  )
  const head = ['', ...plans.map(({ id }, index) => styled('bold', `${planLetter(index)} ${oneLine(id)}`))]
  const shown = (cell: string): string => (displayWidth(cell) > room ? cutToWidth(cell, room) : cell)
  return alignColumns([head, ...lines].map(([name = '', ...cells]) => [name, ...cells.map(shown)]))
}
