import { styled } from '../output/terminal.js'
import type { ComparisonJson } from '../../wire/index.js'
import { cutToWidth, oneLine, plural } from '../output/text-layout.js'
import { rowLines } from './row-lines.js'
import { totalsTable } from './plan-totals-table.js'
import { planLetter } from './figures.js'

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
