import { styled } from '../output/terminal.js'
import type { ComparisonJson } from '../../wire/index.js'
import { cutToWidth, oneLine, plural } from '../output/text-layout.js'
import { letterOf } from './plan-letter.js'
import { rowLines } from './row-lines.js'
import { totalsTable } from './plan-totals-table.js'

type Pair = ComparisonJson['comparisons'][number]

/** Plans side by side: what each comes to, then for each beside the first where they part and all rows. */
export function comparisonLines({ plans, comparisons }: ComparisonJson, width: number): string[] {
  const names = plans.map(({ id }, index) => `${letterOf(index)} ${oneLine(id)}`)
  return [
    ...totalsTable(plans, width),
    ...comparisons.flatMap((pair) => ['', ...pairLines(pair, [names[0] ?? '', names[pair.other] ?? ''], width)]),
  ]
}

function pairLines(pair: Pair, [base, other]: readonly [string, string], width: number): string[] {
  const letters = [letterOf(0), letterOf(pair.other)] as const
  const head = styled('bold', `${base}  and  ${other}`)
  const { isSame, counts, rows, nextFrom, rowCount } = pair
  if (isSame)
    return [
      head,
      styled('green', `The same: ${plural(counts.same, 'step, cycle or call')}.`),
      ...others(pair, letters, width),
    ]
  const told = [
    `${String(counts.same)} the same`,
    `${String(counts.changed)} changed`,
    `${String(counts.base)} in ${letters[0]} alone`,
    `${String(counts.other)} in ${letters[1]} alone`,
  ]
  return [
    head,
    told.join(', '),
    ...parting(pair, letters, width),
    '',
    ...rows.flatMap((row) => rowLines(row, letters, width)),
    ...(nextFrom === null ? [] : [styled('dim', `${String(rowCount - nextFrom)} more rows: see them with --limit.`)]),
  ]
}

/** The first divergence, and what a tool answered otherwise before that. */
function parting(pair: Pair, letters: readonly [string, string], width: number): string[] {
  const { firstDivergence: first } = pair
  const shown = (letter: string, text: string): string => cutToWidth(`  ${letter} ${oneLine(text)}`, width)
  return [
    ...(first
      ? [
          cutToWidth(`They part at ${oneLine(first.path)}:`, width),
          shown(letters[0], first.base),
          shown(letters[1], first.other),
        ]
      : []),
    ...others(pair, letters, width),
  ]
}

function others({ earlierResult, isSame }: Pair, letters: readonly [string, string], width: number): string[] {
  if (!earlierResult) return []
  const { path, base, other } = earlierResult
  return [
    cutToWidth(`${isSame ? '' : 'Before that, '}${oneLine(path)} was answered otherwise:`, width),
    cutToWidth(`  ${letters[0]} ${oneLine(base)}`, width),
    cutToWidth(`  ${letters[1]} ${oneLine(other)}`, width),
  ]
}
