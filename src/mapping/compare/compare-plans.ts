import type { CostOfCall } from '../usage/index.js'
import type { SpanNode } from '../tree/index.js'
import type { Divergence, OtherResult, PairComparison } from './comparison.js'
import { Interner } from '../align/index.js'
import { resultsOf } from './other-result.js'
import { unitsOf } from './plan-units.js'
import { differingParts } from './shorten.js'
import { PairWalk, type Parting } from './walk-pairs.js'
import { didText, pathText } from './words.js'
import { rowOf } from './write-row.js'

export interface CompareOptions {
  /** @default no costs */
  readonly costOfCall?: CostOfCall
  /** The first row to write, from 0. */
  readonly from?: number
  /** The maximum number of rows. */
  readonly limit?: number
}

/**
 * Compares plans with the first of them: what both did, step by step and call by call, where they diverge, and what
 * they used. The nodes are plans in finished trees, or agents that were imported alone.
 */
export function comparePlans([base, ...others]: readonly SpanNode[], options: CompareOptions = {}): PairComparison[] {
  if (!base) return []
  const { costOfCall = () => undefined, from = 0, limit = Number.POSITIVE_INFINITY } = options
  const interner = new Interner()
  const root = unitsOf(base, { interner, costOfCall })
  return others.map((other) => {
    const otherRoot = unitsOf(other, { interner, costOfCall })
    const { rows, counts, parting, otherResult } = new PairWalk(root, otherRoot)
    return {
      isSame: root.keys.same === otherRoot.keys.same,
      counts,
      firstDivergence: parting ? divergenceOf(parting) : null,
      earlierResult: otherResult ? otherResultOf(otherResult) : null,
      rowCount: rows.length,
      rows: rows.slice(from, from + limit).map(rowOf),
    }
  })
}

function divergenceOf({ path, differences, pair: { base, other }, next }: Parting): Divergence {
  const [baseDetail, otherDetail] = differingParts(base?.action.detail, other?.action.detail)
  const nextDid = next ? didText(next, differingParts(next.action.detail, undefined)[0]) : ''
  const nothing = next ? `did not, and went on: ${nextDid}` : 'did nothing more there'
  return {
    path: pathText(path),
    differences,
    base: base ? didText(base, baseDetail) : nothing,
    other: other ? didText(other, otherDetail) : nothing,
    ...spansOf((base ?? next)?.node, (other ?? next)?.node),
  }
}

function otherResultOf({ path, both }: NonNullable<PairWalk['otherResult']>): OtherResult {
  const [base, other] = differingParts(...resultsOf(both))
  return { path: pathText(path), base: base ?? '', other: other ?? '', ...spansOf(both.base.node, both.other.node) }
}

const spansOf = (base: SpanNode | undefined, other: SpanNode | undefined) => ({
  baseSpanId: base?.span.spanId ?? null,
  otherSpanId: other?.span.spanId ?? null,
})
