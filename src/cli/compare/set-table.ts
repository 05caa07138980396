import { styled } from '../output/terminal.js'
import type { SetsJson } from '../../wire/index.js'
import { alignColumns, formatDuration, oneLine } from '../output/text-layout.js'
import { shownCost } from './figures.js'
import type { Labels } from './result-labels.js'

/** A set of plans, with the labels of its results' paths if it was read from a directory. */
export type ComparedSet = SetsJson['sets'][number] & { readonly labels?: Partial<Labels> }

type Spread = ComparedSet['tokens']
type Tally = ComparedSet['unsafe']

const COLUMNS: readonly (readonly [name: string, shown: (set: ComparedSet) => string])[] = [
  ['SET', ({ set }) => oneLine(set) || 'all'],
  ['PLANS', ({ plans }) => String(plans)],
  ['SUCCESS', ({ success: { of, succeeded } }) => (of === 0 ? '-' : `${share(succeeded, of)} of ${String(of)}`)],
  ['SCORE', ({ score, plans }) => mean(score, plans, (value) => value.toFixed(2))],
  ['JUDGED', ({ judged }) => tally(judged)],
  ['UNSAFE', ({ unsafe }) => tally(unsafe)],
  ['STOPPED', ({ unsafeStopped }) => tally(unsafeStopped)],
  ['TAKEN', ({ unsafeTaken }) => tally(unsafeTaken)],
  ['ERRORS', ({ errors }) => tally(errors)],
  ['TOKENS', ({ tokens, plans }) => mean(tokens, plans, (value) => String(Math.round(value)))],
  ['COST', ({ costUsd, plans }) => mean(costUsd, plans, shownCost)],
  ['DURATION', ({ durationMs, plans }) => mean(durationMs, plans, formatDuration)],
]

/** Formats sets, one line each: means of values that a plan has once, counts of others with the number of plans. */
export function setTable(sets: readonly ComparedSet[]): string[] {
  const rows = sets.map((set) => COLUMNS.map(([, shown]) => shown(set)))
  const isUsed = COLUMNS.map((_, column) => rows.some((row) => row[column] !== '-' && row[column] !== '0'))
  const only = (cells: readonly string[]): string[] => cells.filter((_, column) => isUsed[column])
  const [head = '', ...lines] = alignColumns([COLUMNS.map(([name]) => name), ...rows].map(only))
  return [styled('bold', head), ...lines]
}

const share = (part: number, of: number): string => `${String(Math.round((100 * part) / of))} %`

const tally = ({ count, plans }: Tally): string => (count === 0 ? '0' : `${String(count)} in ${String(plans)}`)

/** The mean, with the number of plans that have a value unless all have one. */
function mean(spread: Spread, plans: number, shown: (value: number) => string): string {
  if (!spread) return '-'
  return `${shown(spread.mean)}${spread.plans === plans ? '' : ` of ${String(spread.plans)}`}`
}
