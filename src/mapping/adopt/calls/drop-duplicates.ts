import { append, appendTo } from '../../../base/append.js'
import { absorb, above, type AdoptNode, byStart, nearestBelow, walk } from '../adopt-node.js'
import { rememberCalls } from './asked-calls.js'
import { factOf } from '../values/fact-place.js'
import { TOOL_CALL_ID, TOOL_NAME } from '../values/fact-places.js'
import { joinRecords } from './join-records.js'
import { isSameName, joinServed } from './join-served.js'
import { isServed } from './mcp.js'
import { isFailed } from '../outcome/span-failure.js'

/**
 * Drops duplicates: of a call that was recorded by two instrumentations, or by a wrapper and its content, one node
 * represents all records.
 */
export function dropDuplicates(roots: readonly AdoptNode[]): void {
  const nodes = roots.flatMap((root) => [...walk(root)])
  joinNested(nodes, namesNear())
  joinServed(nodes)
  joinMoments(nodes)
  joinRecords(nodes)
}

/** Returns the names of the tools that models requested near a call. */
type NamesNear = (call: AdoptNode) => ReadonlySet<string | undefined>

/** Joins calls with the calls directly below them that are the same. */
function joinNested(nodes: readonly AdoptNode[], askedNear: NamesNear): void {
  const inside = new Map<AdoptNode, [AdoptNode, ...AdoptNode[]]>()
  for (const node of nodes) {
    const outer = node.own === undefined && (node.kind === 'llm' || node.kind === 'tool') ? above(node) : undefined
    if (outer?.kind === node.kind) appendTo(inside, outer, node)
  }
  // The outer calls come first, so that each joined call knows which call represents it.
  const keepers = new Map<AdoptNode, AdoptNode>()
  for (const [outer, calls] of inside) {
    const keeper = keepers.get(outer) ?? outer
    if (keeper.own === undefined && onlyWraps(keeper, calls, askedNear)) {
      keeper.kind = 'group'
      // A wrapper may have recorded the answer of the last attempt.
      if (calls[0].kind === 'llm') append(lastOf(calls).twins, [keeper, ...keeper.twins])
      continue
    }
    for (const call of calls) {
      if (call.kind === 'tool' && !isSameTool(call, keeper, calls)) continue
      absorb(keeper, call)
      keepers.set(call, keeper)
    }
  }
}

const lastOf = (calls: readonly [AdoptNode, ...AdoptNode[]]): AdoptNode =>
  calls.reduce((last, call) => (byStart(last, call) < 0 ? call : last))

/**
 * Whether an outer call only wraps several calls: a model call of attempts that did not all succeed, or a tool that no
 * model requested around tools that a model requested.
 */
function onlyWraps(outer: AdoptNode, calls: readonly AdoptNode[], askedNear: NamesNear): boolean {
  if (outer.kind === 'llm') return calls.length > 1 && calls.some(isFailed)
  const name = factOf(outer.span, TOOL_NAME)
  const names = calls.map(({ span }) => factOf(span, TOOL_NAME))
  if (factOf(outer.span, TOOL_CALL_ID) !== undefined || names.some((inner) => isSameName(name, inner))) return false
  const asked = askedNear(outer)
  return !asked.has(name) && names.some((inner) => asked.has(inner))
}

/** The calls of an agent are read once. */
function namesNear(): NamesNear {
  const callsOf = rememberCalls()
  const known = new Map<AdoptNode, ReadonlySet<string | undefined>>()
  return (call) => {
    let top = call
    while (top.parent && (top === call || top.kind !== 'agent')) top = top.parent
    let names = known.get(top)
    if (!names) {
      const models = [...walk(top)].filter(({ kind }) => kind === 'llm')
      known.set(top, (names = new Set(models.flatMap(callsOf).map(({ name }) => name))))
    }
    return names
  }
}

/**
 * Whether an inner tool call is the outer one: by its id or name, or as a call to a server of tools if the outer one
 * does nothing else.
 */
function isSameTool(inner: AdoptNode, outer: AdoptNode, calls: readonly AdoptNode[]): boolean {
  const [id, outerId] = [factOf(inner.span, TOOL_CALL_ID), factOf(outer.span, TOOL_CALL_ID)]
  if (id !== undefined && outerId !== undefined) return id === outerId
  return (
    isSameName(factOf(outer.span, TOOL_NAME), factOf(inner.span, TOOL_NAME)) ||
    (calls.length === 1 && isServed(inner.span) && nearestBelow(outer).length === 1)
  )
}

const MOMENT = /^(?<stem>.+)\.(?:start|success|finish|update|error)-\d+$/

/** Joins the spans for moments of one call: `X.start-1` and `X.success-2` below one parent. */
function joinMoments(nodes: readonly AdoptNode[]): void {
  const calls = new Map<string, AdoptNode>()
  for (const node of nodes) {
    const stem =
      node.own === undefined && (node.kind === 'tool' || node.kind === 'llm')
        ? MOMENT.exec(node.span.name)?.groups?.['stem']
        : undefined
    if (stem === undefined) continue
    const key = `${node.parent?.span.spanId ?? ''} ${stem}`
    const first = calls.get(key)
    if (first) absorb(first, node)
    else calls.set(key, node)
  }
}
