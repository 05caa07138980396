import { styled } from '../output/terminal.js'
import type { ComparisonJson } from '../../wire/index.js'
import { cutToWidth, oneLine } from '../output/text-layout.js'
import { shownCost, shownDuration, shownRisk } from './figures.js'

type Row = ComparisonJson['comparisons'][number]['rows'][number]
type Side = NonNullable<Row['base']>

const SIGNS: Readonly<Record<Row['kind'], string>> = { same: '=', within: ' ', changed: '≠', base: '<', other: '>' }

/** Formats a row: its path and its cost; for a changed row also the action of each plan. */
export function rowLines(row: Row, letters: readonly [string, string], width: number): string[] {
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
