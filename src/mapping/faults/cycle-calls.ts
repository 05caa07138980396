import { appendTo } from '../../base/append.js'
import { ATTR, decodeFields, LINK_TYPES, toolFields } from '../../semconv/index.js'
import { compare, nearest, type SpanNode } from '../tree/index.js'

/** Tool calls in order. */
export class CallList {
  readonly #calls: readonly SpanNode[]
  /** The calls by start. For each, the first call in order that was made among it and the later ones. */
  #byStart: { readonly starts: readonly bigint[]; readonly firstMade: readonly (SpanNode | undefined)[] } | undefined

  constructor(calls: readonly SpanNode[]) {
    this.#calls = calls
  }

  /** Returns the calls that start at a time or later, or all calls. */
  from(start?: bigint): SpanNode[] {
    return start === undefined ? [...this.#calls] : this.#calls.filter(({ span }) => span.startTimeUnixNano >= start)
  }

  /** Returns the first call that was made, among those that start at a time or later. */
  firstMade(start?: bigint): SpanNode | undefined {
    const { starts, firstMade } = (this.#byStart ??= this.#sort())
    return firstMade[start === undefined ? 0 : indexFrom(starts, start)]
  }

  #sort() {
    const ranked = this.#calls
      .map((call, rank) => ({ call, rank, start: call.span.startTimeUnixNano }))
      .sort((a, b) => compare(a.start, b.start))
    const firstMade: (SpanNode | undefined)[] = []
    let first: (typeof ranked)[number] | undefined
    for (let at = ranked.length - 1; at >= 0; at--) {
      const next = ranked[at]
      if (next && !isNotTaken(next.call) && (!first || next.rank < first.rank)) first = next
      firstMade[at] = first?.call
    }
    return { starts: ranked.map(({ start }) => start), firstMade }
  }
}

const NO_CALLS = new CallList([])

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

/** The tool calls of a cycle, with lookups for what guardrails record about them. */
export class CycleCalls {
  readonly all: CallList
  /** The calls that name no guardrail. */
  readonly unguarded: CallList
  readonly #calls: readonly SpanNode[]
  readonly #byGuard: ReadonlyMap<string, CallList>
  #byId: ReadonlyMap<string, CallList> | undefined
  #byName: ReadonlyMap<string, CallList> | undefined

  constructor(calls: readonly SpanNode[]) {
    this.#calls = calls
    this.all = new CallList(calls)
    this.unguarded = new CallList(calls.filter((call) => guardsOf(call).length === 0))
    this.#byGuard = listsBy(calls, guardsOf)
  }

  guardedBy(spanId: string): CallList | undefined {
    return this.#byGuard.get(spanId)
  }

  withId(callId: string): CallList {
    this.#byId ??= listsBy(this.#calls, (call) => asList(toolOf(call).callId))
    return this.#byId.get(callId) ?? NO_CALLS
  }

  ofTool(name: string): CallList {
    this.#byName ??= listsBy(this.#calls, (call) => asList(toolOf(call).name))
    return this.#byName.get(name) ?? NO_CALLS
  }
}

const asList = (text: string | undefined): string[] => (text === undefined ? [] : [text])

function listsBy(calls: readonly SpanNode[], keysOf: (call: SpanNode) => readonly string[]): Map<string, CallList> {
  const groups = new Map<string, SpanNode[]>()
  for (const call of calls) {
    for (const key of new Set(keysOf(call))) appendTo(groups, key, call)
  }
  return new Map([...groups].map(([key, group]) => [key, new CallList(group)]))
}

/**
 * A cache of the calls of each cycle. An entry is valid while the number of children is the same: stopped calls are
 * added to them.
 */
const known = new WeakMap<SpanNode, { readonly children: number; readonly calls: CycleCalls }>()

/**
 * Returns the tool calls of a guardrail's cycle. They are cached, because a cycle may have as many guardrails as calls.
 */
export function callsOf(cycle: SpanNode | undefined): CycleCalls {
  if (!cycle) return new CycleCalls([])
  const found = known.get(cycle)
  if (found?.children === cycle.children.length) return found.calls
  const calls = new CycleCalls(nearest(cycle, 'tool'))
  known.set(cycle, { children: cycle.children.length, calls })
  return calls
}

/** Returns the name and id of a tool call. */
export const toolOf = ({ span }: SpanNode) => decodeFields(CALL, span.attributes)
const { name, callId } = toolFields
const CALL = { name, callId }

/** Returns the ids of the guardrails that checked a tool call, according to its links. */
const guardsOf = ({ span }: SpanNode): string[] =>
  span.links.filter(({ attributes }) => attributes[ATTR.linkType] === LINK_TYPES.guards).map(({ spanId }) => spanId)

/** Whether a guardrail stopped a proposed tool call, so that it was never made. */
export const isNotTaken = ({ span }: SpanNode): boolean => span.attributes[ATTR.riskActionTaken] === 'false'
