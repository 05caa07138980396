import { appendTo } from '../../base/append.js'
import { ATTR, LINK_TYPES } from '../../semconv/index.js'
import { bySeq, nearest, type SpanNode } from '../tree/index.js'
import { type Action, actionKey, actionOf } from './action.js'
import { CallList } from './call-list.js'
import { type CallsInPlace, placeCalls } from './place-calls.js'

const NO_CALLS = new CallList([])

/** The tool calls of a cycle, with lookups for what its guardrails record about them. */
export class CycleCalls {
  readonly all: CallList
  readonly #guardrails: readonly SpanNode[]
  readonly #byGuard: ReadonlyMap<string, CallList>
  readonly #unguarded: UnguardedCalls
  #byId: ReadonlyMap<string, CallList> | undefined
  #places: ReadonlyMap<SpanNode, CallsInPlace> | undefined

  constructor(calls: readonly SpanNode[], guardrails: readonly SpanNode[]) {
    this.#guardrails = guardrails
    this.all = new CallList(calls)
    this.#byGuard = listsBy(calls, guardsOf)
    this.#unguarded = new UnguardedCalls(
      calls.filter((call) => guardsOf(call).length === 0),
      guardrails,
    )
  }

  guardedBy(spanId: string): CallList | undefined {
    return this.#byGuard.get(spanId)
  }

  withId(callId: string): CallList {
    this.#byId ??= listsBy(this.all.within({}), (call) => asList(actionOf(call).callId))
    return this.#byId.get(callId) ?? NO_CALLS
  }

  /**
   * Returns the calls that a guardrail judged by the tool and the arguments of its action, if it records them, and by
   * its position among the calls. Undefined if several calls may be meant.
   */
  placeOf(guardrail: SpanNode): CallsInPlace | undefined {
    const unguarded = this.#unguarded
    this.#places ??= placeCalls(this.#withoutReference(), (action) => unguarded.fitting(action))
    const place = this.#places.get(guardrail)
    const action = actionOf(guardrail)
    if (!place || action.arguments === undefined || place.calls.count(place) > 0) return place
    // A call with other arguments may be the judged call after a change.
    return unguarded.isChanged(action, guardrail.span.startTimeUnixNano) ? undefined : place
  }

  /** The guardrails that no call names, and that name no call by its id. */
  #withoutReference(): SpanNode[] {
    return this.#guardrails.filter(
      (guardrail) => !this.#byGuard.has(guardrail.span.spanId) && actionOf(guardrail).callId === undefined,
    )
  }
}

/** The calls that name no guardrail, by tool and arguments. */
class UnguardedCalls {
  readonly #calls: readonly SpanNode[]
  readonly #guardrails: readonly SpanNode[]
  readonly #all: CallList
  #byAction: ReadonlyMap<string, CallList> | undefined
  #unclaimed: ReadonlyMap<string, CallList> | undefined

  constructor(calls: readonly SpanNode[], guardrails: readonly SpanNode[]) {
    this.#calls = calls
    this.#guardrails = guardrails
    this.#all = new CallList(calls)
  }

  /** Returns the calls with the tool and the arguments of an action, as far as both sides record them. */
  fitting({ name, arguments: data }: Action): CallList {
    if (name === undefined && data === undefined) return this.#all
    const lists = (this.#byAction ??= listsBy(this.#calls, keysOf))
    if (data === undefined) return lists.get(actionKey({ name })) ?? NO_CALLS
    const same = lists.get(actionKey({ name, arguments: data }))
    const without = lists.get(actionKey({ name, arguments: '' }))
    if (!same || !without) return same ?? without ?? NO_CALLS
    return new CallList([...same.within({}), ...without.within({})].sort(bySeq))
  }

  /** Whether calls of the tool start from a time on whose arguments no guardrail judged. */
  isChanged({ name }: Action, from: bigint): boolean {
    if (!this.#unclaimed) {
      const claimed = new Set(this.#guardrails.map((guardrail) => actionKey(actionOf(guardrail))))
      const unclaimed = this.#calls.filter((call) => !keysOf(call).some((key) => claimed.has(key)))
      this.#unclaimed = listsBy(unclaimed, keysOf)
    }
    return (this.#unclaimed.get(actionKey({ name })) ?? NO_CALLS).count({ from }) > 0
  }
}

/** The keys of the actions that a call may be: with and without its tool and its arguments. */
function keysOf(call: SpanNode): string[] {
  const { name, arguments: data = '' } = actionOf(call)
  return [{ name }, { name, arguments: data }, {}, { arguments: data }].map(actionKey)
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

/** Returns the tool calls of a cycle. They are cached, because a cycle may have as many guardrails as calls. */
export function callsOf(cycle: SpanNode | undefined): CycleCalls {
  if (!cycle) return new CycleCalls([], [])
  const found = known.get(cycle)
  if (found?.children === cycle.children.length) return found.calls
  const calls = new CycleCalls(nearest(cycle, 'tool'), nearest(cycle, 'guardrail', ['llm', 'guardrail']))
  known.set(cycle, { children: cycle.children.length, calls })
  return calls
}

/** Returns the ids of the guardrails that checked a tool call, according to its links. */
const guardsOf = ({ span }: SpanNode): string[] =>
  span.links.filter(({ attributes }) => attributes[ATTR.linkType] === LINK_TYPES.guards).map(({ spanId }) => spanId)
