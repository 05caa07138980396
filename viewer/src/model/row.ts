import type { StructureJson } from 'planspan/client'

import { roleWord, isMoving, type Role } from './words.js'

type StructureSpan = StructureJson['spans'][number]

export type Judgement = NonNullable<StructureSpan[12]>

/** A span, as the tree and the waterfall show it. Times in milliseconds since the Unix epoch. */
export interface Row {
  readonly id: string
  readonly parent: string | null
  readonly role: Role | null
  readonly name: string
  readonly label: string
  readonly start: number
  readonly duration: number
  readonly state: StructureSpan[7]
  readonly failed: boolean
  readonly pending: boolean
  readonly tokens: number | null
  readonly risk: number | null
  readonly judgement: Judgement | null
  /** The index of the segment of a resumed plan, from 0. */
  readonly segment: number
  /** The message of an original failure, empty without one; null for other spans. */
  readonly failure: string | null
  /** The cost of a model call, US dollars. */
  readonly costUsd: number | null
}

/** Whether a span never ended, because its plan was killed. */
export const isCutOff = ({ pending, state }: Row): boolean => pending && state === 'interrupted'

/** Whether a span has failed. */
export const isFailed = ({ failed, state }: Row): boolean => failed || state === 'failed'

/** The smallest risk that is shown as high. */
export const HIGH_RISK = 0.7

/** A span in a live event of the structure. */
type ChangedSpan = readonly [id: string, parent: string | null, ...rest: After<StructureSpan>]
type After<Tuple extends readonly unknown[]> = Tuple extends [unknown, unknown, ...infer Rest] ? Rest : never

/** Returns the rows of a structure by id. */
export function rowsOf({ startTime, spans }: StructureJson): Map<string, Row> {
  const begun = momentOf(startTime)
  const rows = new Map<string, Row>()
  for (const span of spans) {
    const [id, parent, , , , start] = span
    rows.set(id, rowAt(span, parent === null ? null : (spans[parent]?.[0] ?? null), begun + start))
  }
  return rows
}

/** Converts a live event to a row. */
export const rowOf = (span: ChangedSpan): Row => rowAt(span, span[1], span[5])

function rowAt(span: StructureSpan | ChangedSpan, parent: string | null, start: number): Row {
  const [id, , role, whole, about, , duration, state, failed, pending, tokens, risk, judgement, ...rest] = span
  const [segment, failure, costUsd] = rest
  const outcome = { state, failed, pending, tokens, risk, judgement, segment, failure, costUsd }
  return { id, parent, role, ...heading(whole, about, role), start, duration, ...outcome }
}

/** Parses a time in ISO 8601 to milliseconds since the Unix epoch, including fractions, which Date drops. */
const momentOf = (time: string): number => Date.parse(time) + Number(`0.${/\.\d{3}(\d+)Z$/.exec(time)?.[1] ?? 0}`)

/** Times this close are equal, because live events and the structure round differently, milliseconds. */
const ROUNDED = 0.001

/** Whether two rows of a span have the same content. */
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
  a.segment === b.segment &&
  a.failure === b.failure &&
  a.costUsd === b.costUsd

/** Roles whose name adds nothing: a cycle's agent is its parent, and the waiting person is the same in all waits. */
const SAID_BY_LABEL: ReadonlySet<Role> = new Set(['think_act', 'wait'])

/** Splits a span name into name and label. The glyph shows the operation. */
function heading(whole: string, label: string, role: Role | null): Pick<Row, 'name' | 'label'> {
  if (role === null) return { name: whole, label }
  const space = whole.indexOf(' ')
  const name = space < 0 ? roleWord(role) : whole.slice(space + 1)
  const saysAll = label !== '' && (SAID_BY_LABEL.has(role) || label.startsWith(name) || (role === 'plan' && space < 0))
  return saysAll ? { name: label, label: '' } : { name, label }
}

/**
 * The duration of a span, or its duration until a time if its plan is running, milliseconds. A wait continues although
 * its span ended when the plan was suspended.
 */
export function lengthAt(
  { start, duration, pending, state }: Pick<Row, 'start' | 'duration' | 'pending' | 'state'>,
  at: number | undefined,
): number {
  const isGoing = (pending || state === 'waiting') && state !== null && isMoving(state)
  return isGoing && at !== undefined ? Math.max(duration, at - start) : duration
}
