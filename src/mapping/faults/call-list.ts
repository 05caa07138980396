import { ATTR } from '../../semconv/index.js'
import { compare, type SpanNode } from '../tree/index.js'

/** A range of start times, Unix nanoseconds: from `from` on, and before `until`. */
export interface StartRange {
  /** @default the first start */
  readonly from?: bigint | undefined
  /** @default after the last start */
  readonly until?: bigint | undefined
}

/** Tool calls in order. */
export class CallList {
  readonly #calls: readonly SpanNode[]
  /** The calls by start. For each, the first call in order that was made among it and the later ones. */
  #byStart: ByStart | undefined

  constructor(calls: readonly SpanNode[]) {
    this.#calls = calls
  }

  /** Returns the calls that start in a range, in order. */
  within({ from, until }: StartRange): SpanNode[] {
    return this.#calls.filter(
      ({ span: { startTimeUnixNano: start } }) =>
        (from === undefined || start >= from) && (until === undefined || start < until),
    )
  }

  /** Returns the calls that start in a range, by start. */
  byStart(range: StartRange): readonly SpanNode[] {
    const [from, until] = this.#indexes(range)
    return (this.#byStart as ByStart).ranked.slice(from, until).map(({ call }) => call)
  }

  /** Counts the calls that start in a range. */
  count(range: StartRange): number {
    const [from, until] = this.#indexes(range)
    return until - from
  }

  /** Returns the first call in order that was made, among those that start in a range. */
  firstMade(range: StartRange = {}): SpanNode | undefined {
    const [from, until] = this.#indexes(range)
    const { ranked, firstMade } = this.#byStart as ByStart
    if (until === ranked.length) return firstMade[from]
    let first: Ranked | undefined
    for (const next of ranked.slice(from, until)) first = earlierMade(first, next)
    return first?.call
  }

  #indexes({ from, until }: StartRange): [from: number, until: number] {
    const { starts } = (this.#byStart ??= sorted(this.#calls))
    return [
      from === undefined ? 0 : indexFrom(starts, from),
      until === undefined ? starts.length : indexFrom(starts, until),
    ]
  }
}

interface Ranked {
  readonly call: SpanNode
  readonly rank: number
  readonly start: bigint
}

interface ByStart {
  readonly ranked: readonly Ranked[]
  readonly starts: readonly bigint[]
  readonly firstMade: readonly (SpanNode | undefined)[]
}

function sorted(calls: readonly SpanNode[]): ByStart {
  const ranked = calls
    .map((call, rank): Ranked => ({ call, rank, start: call.span.startTimeUnixNano }))
    .sort((a, b) => compare(a.start, b.start))
  const firstMade: (SpanNode | undefined)[] = []
  let first: Ranked | undefined
  for (let at = ranked.length - 1; at >= 0; at--) {
    first = earlierMade(first, ranked[at] as Ranked)
    firstMade[at] = first?.call
  }
  return { ranked, starts: ranked.map(({ start }) => start), firstMade }
}

const earlierMade = (first: Ranked | undefined, next: Ranked): Ranked | undefined =>
  isNotTaken(next.call) || (first && first.rank < next.rank) ? first : next

/** Returns the index of the first of the ascending times that is not before `time`. */
function indexFrom(times: readonly bigint[], time: bigint): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? time) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Whether a span is a proposed tool call that a guardrail stopped, so that it was never made. */
export const isNotTaken = ({ role, span }: SpanNode): boolean =>
  role === 'tool' && span.attributes[ATTR.riskActionTaken] === 'false'
