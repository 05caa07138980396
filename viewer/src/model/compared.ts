import type { ComparisonJson } from 'planspan/client'

export type ComparedPlan = ComparisonJson['plans'][number]
export type Pair = ComparisonJson['comparisons'][number]
export type ComparedRow = Pair['rows'][number]
export type Side = NonNullable<ComparedRow['base']>

/** The letter that stands for a plan, from A. */
export const letterOf = (index: number): string => String.fromCodePoint(0x41 + index)

/** Whether a row tells of a difference itself; others lead to one, or are the same. */
export const isDifference = ({ kind }: ComparedRow): boolean => kind !== 'same' && kind !== 'within'

/** How many differences two plans have. */
export const differencesIn = ({ counts }: Pair): number => counts.changed + counts.base + counts.other

type RowRole = NonNullable<ComparedRow['role']>

/** What the name and the detail of a unit are. */
const ACTIONS: Readonly<Partial<Record<RowRole, string>>> = {
  tool: 'tool',
  guardrail: 'guardrail',
  agent: 'agent',
  plan: 'plan',
  step: 'step',
}
const DETAILS: Readonly<Partial<Record<RowRole, string>>> = {
  tool: 'arguments',
  llm: 'model',
  planning: 'steps',
  wait: 'question',
  step: 'agent',
}

export const actionWord = (role: ComparedRow['role']): string => (role && ACTIONS[role]) ?? 'name'
export const detailWord = (role: ComparedRow['role']): string => (role && DETAILS[role]) ?? 'detail'

/** In what the two sides of a row differ, in words. */
export function differenceWords({ kind, role, differences, base, other }: ComparedRow): string[] {
  if (kind !== 'changed') return []
  const words = differences.map((difference) => {
    if (difference === 'action') return actionWord(role)
    return difference === 'detail' ? detailWord(role) : difference
  })
  return base?.risk === other?.risk ? words : [...words, 'risk']
}

type Figure = 'tokens' | 'costUsd' | 'durationMs'

/** By how much the second side of a row has more of a figure than the first; null where one of them is not known. */
export function moreOf({ base, other }: Pick<ComparedRow, 'base' | 'other'>, figure: Figure): number | null {
  const [before, after] = [base ? base[figure] : 0, other ? other[figure] : 0]
  return before === null || after === null ? null : after - before
}

/** What a row stands for, among those beside it: the last part of its path. */
export function headingOf({ path }: Pick<ComparedRow, 'path'>): string {
  const place = path.split(' › ').at(-1) ?? path
  return capitalised(place)
}

export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** A difference with its sign, as a function writes the figure: `+320`, `−1.2k`; empty where there is none. */
export function signed(difference: number | null, write: (value: number) => string): string {
  if (difference === null || difference === 0) return ''
  return `${difference > 0 ? '+' : '−'}${write(Math.abs(difference))}`
}
