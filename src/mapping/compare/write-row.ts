import { endOf } from '../tree/index.js'
import type { ComparedRow, Side } from './comparison.js'
import { hasOwnTimes } from './describe-unit.js'
import { highest, sumOf } from '../usage/index.js'
import { cut, differingParts } from './shorten.js'
import type { Unit } from './unit.js'
import type { Found } from './walk-pairs.js'
import { pathText } from './words.js'

/** The maximum length of a name, an error or an answer. */
const MAX_TEXT = 400

/** Writes a row. */
export function rowOf({ kind, depth, path, differences, pairs }: Found): ComparedRow {
  const [bases, others] = [pairs.flatMap(({ base }) => base ?? []), pairs.flatMap(({ other }) => other ?? [])]
  const [base, other] = [bases[0], others[0]]
  const details = differingParts(base?.action.detail, other?.action.detail)
  const isWhole = kind !== 'within' && kind !== 'changed'
  return {
    kind,
    role: pairs.length > 1 ? null : ((base ?? other)?.kind ?? null),
    depth,
    path: pathText(path),
    units: isWhole ? (sumOf((base ? bases : others).map(({ figures }) => figures.units)) ?? 0) : 1,
    differences,
    base: base ? sideOf(base, bases, details[0]) : null,
    other: other ? sideOf(other, others, details[1]) : null,
  }
}

function sideOf(first: Unit, all: readonly Unit[], detail: string | null): Side {
  const { action, outcome, node } = first
  return {
    spanId: node?.span.spanId ?? null,
    action: cut(action.name, MAX_TEXT),
    detail,
    state: outcome.state ?? null,
    error: outcome.error === undefined ? null : cut(outcome.error, MAX_TEXT),
    risk: highest(all.map(({ figures }) => figures.risk)) ?? null,
    safe: outcome.isSafe ?? null,
    taken: outcome.isTaken ?? null,
    answer: outcome.answer === undefined ? null : cut(outcome.answer, MAX_TEXT),
    tokens: sumOf(all.map(({ figures }) => figures.tokens)) ?? null,
    costUsd: sumOf(all.map(({ figures }) => figures.costUsd)) ?? null,
    durationMs: sumOf(all.map(durationOf)) ?? null,
  }
}

/** Returns the duration of a unit. Undefined if its times were derived, or it has not begun. */
function durationOf({ node }: Unit): number | undefined {
  if (!node || !hasOwnTimes(node)) return undefined
  return Number(endOf(node.span) - node.span.startTimeUnixNano) / 1e6
}
