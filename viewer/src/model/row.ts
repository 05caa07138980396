import type { StructureJson } from 'planspan/client'

import { type Role, roleWord } from './role.js'

type Told = StructureJson['spans'][number]

export type Judgement = NonNullable<Told[12]>

/** A span, as tree and waterfall show it. Times in milliseconds since the Unix epoch. */
export interface Row {
  readonly id: string
  readonly parent: string | null
  readonly role: Role | null
  readonly name: string
  readonly label: string
  readonly start: number
  readonly duration: number
  readonly state: Told[7]
  readonly failed: boolean
  readonly pending: boolean
  readonly tokens: number | null
  readonly risk: number | null
  readonly judgement: Judgement | null
  /** In which run of a plan that was resumed, from 0. */
  readonly segment: number
}

/** Whether a span tells that it failed. */
export const isFailed = ({ failed, state }: Row): boolean => failed || state === 'failed'

/** The least risk that is shown as high. */
export const HIGH_RISK = 0.7

/** A span as the structure's live events tell of it. */
export type ToldChange = readonly [id: string, parent: string | null, ...rest: After<Told>]
type After<Tuple extends readonly unknown[]> = Tuple extends [unknown, unknown, ...infer Rest] ? Rest : never

/** The rows of a structure by their ids. */
export function rowsOf({ startTime, spans }: StructureJson): Map<string, Row> {
  const begun = momentOf(startTime)
  const rows = new Map<string, Row>()
  for (const told of spans) {
    const [id, parent, , , , start] = told
    rows.set(id, rowAt(told, parent === null ? null : (spans[parent]?.[0] ?? null), begun + start))
  }
  return rows
}

/** The row of a live event. */
export const rowOf = (told: ToldChange): Row => rowAt(told, told[1], told[5])

function rowAt(told: Told | ToldChange, parent: string | null, start: number): Row {
  const [id, , role, whole, about, , duration, state, failed, pending, tokens, risk, judgement, segment] = told
  const { name, label } = heading(whole, about, role)
  return { id, parent, role, name, label, start, duration, state, failed, pending, tokens, risk, judgement, segment }
}

/** Milliseconds since the Unix epoch of a time in ISO 8601, which a Date takes no more than whole ones of. */
const momentOf = (time: string): number => Date.parse(time) + Number(`0.${/\.\d{3}(\d+)Z$/.exec(time)?.[1] ?? 0}`)

/** Times so near are one, as a live event and the structure round it, milliseconds. */
const ROUNDED = 0.001

/** Whether two rows of a span tell the same. */
export const isSameRow = (a: Row, b: Row): boolean =>
  a.parent === b.parent &&
  a.role === b.role &&
  a.name === b.name &&
  a.label === b.label &&
  Math.abs(a.start - b.start) < ROUNDED &&
  a.duration === b.duration &&
  a.state === b.state &&
  a.failed === b.failed &&
  a.pending === b.pending &&
  a.tokens === b.tokens &&
  a.risk === b.risk &&
  a.judgement === b.judgement &&
  a.segment === b.segment

/** The agent of a cycle stands above it, and who waits does so in all waits. */
const SAID_BY_LABEL: ReadonlySet<Role> = new Set(['think_act', 'wait'])

/** A name and what it was about. What a span does its glyph says. */
function heading(whole: string, label: string, role: Role | null): Pick<Row, 'name' | 'label'> {
  if (role === null) return { name: whole, label }
  const space = whole.indexOf(' ')
  const name = space < 0 ? roleWord(role) : whole.slice(space + 1)
  const saysAll = label !== '' && (SAID_BY_LABEL.has(role) || label.startsWith(name) || (role === 'plan' && space < 0))
  return saysAll ? { name: label, label: '' } : { name, label }
}
