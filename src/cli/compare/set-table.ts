import { sep } from 'node:path'

import { PlanspanError } from '../../error.js'
import type { SetsJson } from '../../wire/index.js'
import { styled } from '../output/terminal.js'
import { alignColumns, formatDuration, oneLine } from '../output/text-layout.js'
import { shownCost } from './comparison-lines.js'

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
  ['FAILURES', ({ failures }) => tally(failures)],
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

/** The labels in the path of a benchmark's result. */
export const LABELS = ['action_space', 'observation', 'model', 'domain', 'task', 'injection'] as const
export type Label = (typeof LABELS)[number]
export type Labels = Readonly<Record<Label, string>>

/** Parses labels separated by commas. Throws `usage` for an unknown label. */
export function labelsOf(text: string): Label[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !LABELS.some((label) => label === name))
  if (unknown !== undefined) {
    throw new PlanspanError('usage', `--by takes labels of ${LABELS.join(', ')}, not ${JSON.stringify(unknown)}.`)
  }
  return LABELS.filter((label) => names.includes(label))
}

const INJECTION = '__inject__'

/**
 * Reads the labels in the path of a result's directory, by the convention of OSWorld and its descendants:
 * `…/ACTION_SPACE/OBSERVATION/MODEL/DOMAIN/TASK`, where a task's name may end with `__inject__` and the injection.
 */
export function pathLabels(directory: string): Labels {
  const [name = '', domain = '', model = '', observation = '', actionSpace = ''] = directory.split(sep).reverse()
  const [task = '', injection = 'none'] = name.split(INJECTION)
  return { action_space: actionSpace, observation, model, domain, task, injection }
}
