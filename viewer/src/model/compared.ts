import type { ComparisonJson } from 'planspan/client'

export type ComparedPlan = ComparisonJson['plans'][number]
export type Pair = ComparisonJson['comparisons'][number]
export type ComparedRow = Pair['rows'][number]
export type Side = NonNullable<ComparedRow['base']>

/** Returns the letter of a plan, from A. */
export const planLetter = (index: number): string => String.fromCodePoint(0x41 + index)

/** Whether a row is a difference itself; other rows lead to one, or are the same. */
export const isDifference = ({ kind }: ComparedRow): boolean => kind !== 'same' && kind !== 'within'

/** The number of differences between two plans. */
export const differencesIn = ({ counts }: Pair): number => counts.changed + counts.base + counts.other

type RowRole = NonNullable<ComparedRow['role']>

/** The words for the name and the detail of a unit. */
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

/** Describes how the two sides of a row differ. */
export function differenceWords({ kind, role, differences, base, other }: ComparedRow): string[] {
  if (kind !== 'changed') return []
  const words = differences.map((difference) => {
    if (difference === 'action') return actionWord(role)
    return difference === 'detail' ? detailWord(role) : difference
  })
  return base?.risk === other?.risk ? words : [...words, 'risk']
}

type Figure = 'tokens' | 'costUsd' | 'durationMs'

/** Returns a figure of the second side minus that of the first; null if either is unknown. */
export function figureDifference({ base, other }: Pick<ComparedRow, 'base' | 'other'>, figure: Figure): number | null {
  const [before, after] = [base ? base[figure] : 0, other ? other[figure] : 0]
  return before === null || after === null ? null : after - before
}

/** The heading of a row: the last part of its path. */
export function headingOf({ path }: Pick<ComparedRow, 'path'>): string {
  const place = path.split(' › ').at(-1) ?? path
  return capitalised(place)
}

export const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Formats a difference with its sign, like the figure: `+320`, `−1.2k`; empty if there is no difference. */
export function signed(difference: number | null, write: (value: number) => string): string {
  if (difference === null || difference === 0) return ''
  return `${difference > 0 ? '+' : '−'}${write(Math.abs(difference))}`
}
