import type { ComparisonJson } from '../../wire/index.js'
import { styled, styledState } from '../output/terminal.js'
import { cutToWidth, oneLine, plural, formatDuration, alignColumns, displayWidth } from '../output/text-layout.js'

type Pair = ComparisonJson['comparisons'][number]

/**
 * Formats plans side by side: their totals, then for each further plan where it diverges from the first, and all rows.
 */
export function comparisonLines({ plans, comparisons }: ComparisonJson, width: number): string[] {
  const names = plans.map(({ id }, index) => `${planLetter(index)} ${oneLine(id)}`)
  return [
    ...totalsTable(plans, width),
    ...comparisons.flatMap((pair) => ['', ...pairLines(pair, [names[0] ?? '', names[pair.other] ?? ''], width)]),
  ]
}

function pairLines(pair: Pair, [base, other]: readonly [string, string], width: number): string[] {
  const letters = [planLetter(0), planLetter(pair.other)] as const
  const head = styled('bold', `${base}  and  ${other}`)
  const { isSame, counts, rows, nextFrom, rowCount } = pair
  if (isSame)
    return [
      head,
      styled('green', `The same: ${plural(counts.same, 'step, cycle or call')}.`),
      ...earlierResultLines(pair, letters, width),
    ]
  const differences = [
    `${String(counts.same)} the same`,
    `${String(counts.changed)} changed`,
    `${String(counts.base)} only in ${letters[0]}`,
    `${String(counts.other)} only in ${letters[1]}`,
  ]
  return [
    head,
    differences.join(', '),
    ...divergenceLines(pair, letters, width),
    '',
    ...rows.flatMap((row) => rowLines(row, letters, width)),
    ...(nextFrom === null
      ? []
      : [styled('dim', `${String(rowCount - nextFrom)} more rows: raise --limit to see them.`)]),
  ]
}

/** The first divergence, and an earlier tool result that differed. */
function divergenceLines(pair: Pair, letters: readonly [string, string], width: number): string[] {
  const { firstDivergence: first } = pair
  const shown = (letter: string, text: string): string => cutToWidth(`  ${letter} ${oneLine(text)}`, width)
  return [
    ...(first
      ? [
          cutToWidth(`They diverge at ${oneLine(first.path)}:`, width),
          shown(letters[0], first.base),
          shown(letters[1], first.other),
        ]
      : []),
    ...earlierResultLines(pair, letters, width),
  ]
}

function earlierResultLines(
  { earlierResult, isSame }: Pair,
  letters: readonly [string, string],
  width: number,
): string[] {
  if (!earlierResult) return []
  const { path, base, other } = earlierResult
  return [
    cutToWidth(`${isSame ? '' : 'Before that, '}${oneLine(path)} returned different results:`, width),
    cutToWidth(`  ${letters[0]} ${oneLine(base)}`, width),
    cutToWidth(`  ${letters[1]} ${oneLine(other)}`, width),
  ]
}

/** Format figures for a table; `-` if unknown. */
const shownCount = (value: number | null): string => (value === null ? '-' : String(value))
export const shownCost = (value: number | null): string =>
  value === null ? '-' : `$${value.toFixed(value > 0 && value < 1 ? 4 : 2)}`
const shownDuration = (value: number | null): string => (value === null ? '-' : formatDuration(value))
const shownRisk = (value: number | null): string => (value === null ? '-' : String(Number(value.toFixed(4))))

/** The letter that stands for a plan in front of its lines, from A. */
const planLetter = (index: number): string => String.fromCodePoint(0x41 + index)

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
  ['failures', ({ failures }) => String(failures)],
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
function totalsTable(plans: readonly Plan[], width: number): string[] {
  const room = Math.max(MIN_CELL, Math.floor((width - NAMES) / plans.length) - 2)
  const lines = LINES.map(([name, shown]) => [name, ...plans.map(shown)]).filter(([, ...cells]) =>
    cells.some((cell) => cell !== '-' && cell !== '0'),
  )
  const head = ['', ...plans.map(({ id }, index) => styled('bold', `${planLetter(index)} ${oneLine(id)}`))]
  const shown = (cell: string): string => (displayWidth(cell) > room ? cutToWidth(cell, room) : cell)
  return alignColumns([head, ...lines].map(([name = '', ...cells]) => [name, ...cells.map(shown)]))
}

type Row = ComparisonJson['comparisons'][number]['rows'][number]
type Side = NonNullable<Row['base']>

const SIGNS: Readonly<Record<Row['kind'], string>> = { same: '=', within: ' ', changed: '≠', base: '<', other: '>' }

/** Formats a row: its path and its cost; for a changed row also the action of each plan. */
function rowLines(row: Row, letters: readonly [string, string], width: number): string[] {
  const { kind, depth, path, base, other } = row
  const indent = ' '.repeat(2 * depth)
  const place = path.split(' › ').at(-1) ?? ''
  const facts = [figure('tokens', row), figure('costUsd', row), figure('risk', row), figure('durationMs', row)]
  const tail = facts.filter((fact) => fact !== '').join('  ')
  const head = cutToWidth(`${SIGNS[kind]} ${indent}${oneLine(place)}`, Math.max(MIN_ROOM, width - tail.length - 2))
  const line =
    `${kind === 'same' || kind === 'within' ? head : styled(COLOURS[kind], head)}  ${styled('dim', tail)}`.trimEnd()
  if (kind !== 'changed') return [line]
  const shown = (letter: string, side: Side | null): string[] =>
    side ? [cutToWidth(`    ${indent}${letter} ${sideText(side, row)}`, width)] : []
  return [line, ...shown(letters[0], base), ...shown(letters[1], other)]
}

const MIN_ROOM = 20

const COLOURS = { changed: 'yellow', base: 'red', other: 'green' } as const

const FIGURES = {
  tokens: (value: number) => `${String(value)} tokens`,
  costUsd: shownCost,
  risk: (value: number) => `risk ${shownRisk(value)}`,
  durationMs: shownDuration,
} as const satisfies Partial<Record<keyof Side, (value: number) => string>>

/** A figure of both plans, shown once if it is the same. */
function figure(name: keyof typeof FIGURES, { base, other }: Row): string {
  const shown = (side: Side | null): string => {
    const value = side?.[name] ?? undefined
    return value === undefined ? '' : FIGURES[name](value)
  }
  const [one, two] = [shown(base), shown(other)]
  if (one === '' || two === '' || one === two) return one || two
  return `${one} → ${two}`
}

function sideText({ action, detail, state, error, safe, taken, answer }: Side, { role }: Row): string {
  const parts = [
    action,
    detail ?? '',
    role === 'guardrail' ? '' : (state ?? 'not started'),
    error === null ? '' : JSON.stringify(oneLine(error)),
    safe === null ? '' : safe ? 'safe' : 'not safe',
    taken === false ? 'not taken' : '',
    answer === null ? '' : `answered ${answer}`,
  ]
  return oneLine(parts.filter((part) => part !== '').join('  '))
}
