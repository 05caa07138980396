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
  const begun = Date.parse(startTime)
  const rows = new Map<string, Row>()
  for (const [id, parent, role, name, label, start, ...outcome] of spans) {
    const above = parent === null ? null : (spans[parent]?.[0] ?? null)
    rows.set(id, rowOf([id, above, role, name, label, begun + start, ...outcome]))
  }
  return rows
}

/** The row of a live event. */
export const rowOf = ([
  id,
  parent,
  role,
  name,
  label,
  start,
  duration,
  state,
  failed,
  pending,
  tokens,
  risk,
  judgement,
  segment,
]: ToldChange): Row => ({
  id,
  parent,
  role,
  ...heading(name, label, role),
  start,
  duration,
  state,
  failed,
  pending,
  tokens,
  risk,
  judgement,
  segment,
})

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
