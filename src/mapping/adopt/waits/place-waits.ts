import { ATTR, encodeFields, waitFields } from '../../../semconv/index.js'
import { hashId } from '../../tree/index.js'
import { above, type AdoptNode, byStart, hasRole, move, walk } from '../adopt-node.js'
import type { AskedCall, CallsOf } from '../calls/asked-calls.js'
import type { Asked } from './asked-of-person.js'
import { derivedNode } from '../derived-node.js'
import { TOOL_NAME } from '../values/fact-places.js'
import { factOfNode } from '../values/node-facts.js'
import { endsForUnknownCalls, endsWithCalls, isCallOf, openCalls, workOf } from './open-calls.js'
import { type StopSign, stopSignOf, withoutStop } from './stop-signs.js'

/** The signs by which spans say that their runs stopped for a person. */
export type StopSigns = ReadonlyMap<AdoptNode, StopSign>

/** A wait for a person that no span was sent for. */
export interface PlacedWait {
  readonly node: AdoptNode
  /** The agent or plan that waits. */
  run: AdoptNode
  /** The span whose run stopped. */
  readonly at: AdoptNode
  readonly asked: Asked
  /** The evidence, in words. */
  readonly why: string
  /** Whether somebody must allow the call, so that its result alone is no approval. */
  readonly isApproval: boolean
  /** When it was asked last: a run that goes on may ask again. */
  until: bigint
  /** The span that began with the answer. */
  answeredBy?: AdoptNode | undefined
}

/** Reads the signs of all spans, and removes the exceptions among them, which are no errors. */
export function readStopSigns(nodes: readonly AdoptNode[]): StopSigns {
  const signs = new Map<AdoptNode, StopSign>()
  for (const node of nodes) {
    // Mastra's suspended runs have waits of their own.
    if (node.own !== undefined || node.convention === undefined || node.convention === 'mastra' || node.kind === 'wait')
      continue
    const sign = stopSignOf(node)
    if (!sign) continue
    signs.set(node, sign)
    node.span = withoutStop(node.span)
  }
  return signs
}

/** Adds a wait for each question and each call for which a run stopped. */
export function placeWaits(tops: readonly AdoptNode[], signs: StopSigns, callsOf: CallsOf): PlacedWait[] {
  const nodes = tops.flatMap((top) => [...walk(top)])
  const waits: PlacedWait[] = []
  const known = new Map<string, PlacedWait>()
  const openOf = remember((run: AdoptNode) => openCalls(run, callsOf))
  // The innermost span that stopped says most. The spans above it repeat it.
  for (const at of signs.size === 0 ? [] : nodes.filter((node) => signs.has(node)).reverse()) {
    const run = runOf(at)
    const sign = signs.get(at)
    if (!run || !sign || run.own !== undefined) continue
    const open = openOf(run)
    const said = sign.asked.length > 0 ? sign.asked : open.map(askedCall)
    const asked = said.length > 0 || waits.some((wait) => isWithin(wait.run, run)) ? said : [{}]
    for (const one of asked)
      addWait({ run, at, asked: withCall(one, at, open), why: sign.why, isApproval: true }, one.id)
  }
  const waiting = new Set(waits.flatMap(({ run }) => [...around(run)]))
  for (const run of nodes) {
    if (run.kind !== 'agent' || run.own !== undefined || run.convention === 'mastra' || waiting.has(run)) continue
    const open = openOf(run)
    const asked: readonly Asked[] = endsWithCalls(run, open)
      ? open.map(askedCall)
      : endsForUnknownCalls(run, callsOf)
        ? [{}]
        : []
    const at = workOf(run).findLast(({ kind }) => kind === 'llm') ?? run
    const why = 'requested calls without a result, and the run has ended'
    for (const one of asked) addWait({ run, at, asked: one, why, isApproval: false }, one.id)
  }
  return waits.sort((a, b) => byStart(a.node, b.node))

  /** Adds a wait, unless it is known by its id, its question, or the id of the sign. */
  function addWait(wait: Omit<PlacedWait, 'node' | 'until'>, signId: string | undefined): void {
    const { id, tool, question } = wait.asked
    const keys = [id ?? `${tool ?? ''}\n${question ?? ''}`, ...(signId === undefined ? [] : [signId])]
    const until = wait.at.span.endTimeUnixNano
    const found = keys.map((key) => known.get(key)).find((one) => one !== undefined)
    const placed = found ?? { ...wait, until, node: waitNode(wait, keys[0] ?? '') }
    if (!found) waits.push(placed)
    if (until > placed.until) placed.until = until
    for (const key of keys) known.set(key, placed)
  }
}

function remember<Value>(read: (node: AdoptNode) => Value): (node: AdoptNode) => Value {
  const known = new Map<AdoptNode, Value>()
  return (node) => {
    if (!known.has(node)) known.set(node, read(node))
    return known.get(node) as Value
  }
}

/** The agent or plan to which a span belongs. */
function runOf(node: AdoptNode): AdoptNode | undefined {
  let at: AdoptNode | undefined = node
  while (at && at.kind !== 'agent' && at.kind !== 'plan') at = at.parent
  return at
}

/** Yields a node and the nodes above it. */
function* around(node: AdoptNode): Generator<AdoptNode> {
  for (let at: AdoptNode | undefined = node; at; at = at.parent) yield at
}

function isWithin(node: AdoptNode, outer: AdoptNode): boolean {
  let at: AdoptNode | undefined = node
  while (at && at !== outer) at = at.parent
  return at === outer
}

const askedCall = ({ id, name, arguments: values }: AskedCall): Asked => ({ id, tool: name, arguments: values })

/** Adds the call that a question is about: the one it names, otherwise the one whose tool asked. */
function withCall(asked: Asked, at: AdoptNode, open: readonly AskedCall[]): Asked {
  const { id, tool, question, form } = asked
  const isTool = at.kind === 'tool'
  const name = tool ?? (isTool ? factOfNode(at, TOOL_NAME) : undefined)
  const call =
    open.find((one) => one.id !== undefined && id?.includes(one.id)) ??
    (isTool ? open.find((one) => isCallOf(at, one)) : open.find((one) => one.name === name))
  return {
    ...asked,
    id: call?.id ?? id,
    tool: name ?? call?.name,
    arguments: asked.arguments ?? call?.arguments,
    question,
    form,
  }
}

/** The reason of a wait, by what it asks. The first that holds decides. */
const REASONS: readonly { readonly when: (asked: Asked) => boolean; readonly reason: string }[] = [
  { when: ({ tool }) => tool !== undefined, reason: 'tool_approval' },
  { when: ({ form, question }) => form !== undefined || question !== undefined, reason: 'form_input' },
]

/** The open wait begins when the span that asks has ended. */
function waitNode({ run, at, asked }: Pick<PlacedWait, 'run' | 'at' | 'asked'>, key: string): AdoptNode {
  const wait = derivedNode('wait', at.span)
  const asking = at.span.endTimeUnixNano
  wait.span = {
    ...wait.span,
    spanId: hashId(`${at.span.traceId}/${at.span.spanId}/wait/${key}`, 16),
    startTimeUnixNano: asking,
    endTimeUnixNano: asking,
  }
  const { id, tool, question, form } = asked
  wait.attributes = {
    ...(encodeFields(waitFields, {
      reason: REASONS.find(({ when }) => when(asked))?.reason,
      title: tool,
      formDescription: question,
      formInputs: form,
      ...(tool === undefined ? { waitId: id } : { callId: id }),
      toolName: tool,
      arguments: asked.arguments,
    }) as Record<string, string>),
    [ATTR.waitWaiting]: 'true',
    [ATTR.state]: 'waiting',
  }
  const plan = run.kind === 'plan' ? run : above(run)
  move(wait, plan?.kind === 'plan' ? plan : run)
  return wait
}

/** Marks the spans around the place of each open wait as waiting. */
export function markWaiting(waits: readonly PlacedWait[]): void {
  for (const { node, at } of waits) {
    if (node.attributes[ATTR.state] !== 'waiting') continue
    for (const outer of around(at)) {
      if (outer.own === undefined && hasRole(outer) && outer.kind !== 'llm') outer.attributes[ATTR.state] = 'waiting'
    }
  }
}
