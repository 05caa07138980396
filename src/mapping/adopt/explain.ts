import { ATTR, type State, type StoredSpan, textListCodec } from '../../semconv/index.js'
import { conventionType } from '../conventions/index.js'
import { guessOf } from './guess/guess.js'
import { isUnread, kindRuleOf } from './kind-of.js'
import { type Kind, type KindRule, NAME, SCOPE } from './kind.js'
import { misspelt } from './guess/misspelt.js'
import { type AdoptNode, hasRole, walk } from './adopt-node.js'
import { factOf, type Place } from './values/fact-place.js'
import { agentNameOf } from './values/node-facts.js'
import type { Outcome } from './outcome/outcomes.js'
import { placeSpans } from './place-spans.js'
import type { PlacedWait } from './waits/place-waits.js'
import { agentRequest, ownAnswer, planAnswer, planRequest, type Spoken } from './values/request-and-answer.js'
import { sourcesOf } from './sources.js'
import { writeSpans } from './write-spans.js'

/** How planspan reads a span of a trace, and why. */
export interface SpanReading {
  readonly spanId: string
  /** The parent in the adopted tree. Empty for a root. */
  readonly parentSpanId: string
  readonly name: string
  /** The role of the span. Null if the tree passes through it. */
  readonly role: string | null
  /** The convention of its instrumentation: `planspan` or another. Null for a span that does not belong to an agent. */
  readonly convention: string | null
  /** What decided the role, in words. */
  readonly why: string
  /** The state of a span with a role, and what decided it. Null for an open span, and for planspan's own spans. */
  readonly ended: { readonly state: State; readonly why: string } | null
  /** Each derived attribute, with the attribute that it was read from. Null if it was read from several. */
  readonly taken: Readonly<Record<string, string | null>>
  /** The attributes that were not read and that the GenAI conventions do not define. */
  readonly ignored: readonly string[]
  /** What the span lacks, in words. Null if it lacks nothing. */
  readonly missing: string | null
  /** Attributes that look like a misspelling, each with the likely name. */
  readonly misspelt: Readonly<Record<string, string>>
}

/** Explains how each span of a trace was read, parents first. */
export function explainTrace(rows: readonly StoredSpan[]): SpanReading[] {
  const placed = placeSpans(rows)
  const written = new Map(writeSpans(placed).map((span) => [span.spanId, span]))
  const nodes = placed.tops.flatMap((top) => [...walk(top)])
  const waits = new Map(placed.waits.map((wait) => [wait.node, `derived: ${whyOf(wait)}`]))
  const stoodFor = new Map(nodes.flatMap((node) => node.twins.map((twin) => [twin, node] as const)))
  const answers = new Map(placed.waits.flatMap((wait) => (wait.answeredBy ? [[wait.answeredBy, wait] as const] : [])))
  return nodes.map((node) => {
    const answered = answers.get(node)
    const reading = readingOf(node, written.get(node.span.spanId), answered ? undefined : stoodFor.get(node))
    const goesOn = answered ? `; continues "${answered.run.span.name}" with the answer that ${namesOf(answered)}` : ''
    const why = waits.get(node) ?? `${reading.why}${goesOn}`
    return { ...reading, why, ended: endOf(node, placed.outcomes.get(node)) }
  })
}

const namesOf = ({ asked: { id, tool } }: PlacedWait): string =>
  tool === undefined ? 'its question waits for' : `the call ${tool}${id === undefined ? '' : ` (${id})`} waits for`

/** Describes the evidence that a run waits, and what ended the wait. */
const whyOf = ({ at, why, answeredBy }: PlacedWait): string =>
  `"${at.span.name}" has ${why}${answeredBy ? `; answered when "${answeredBy.span.name}" of trace ${answeredBy.span.traceId} began` : ''}`

function endOf(node: AdoptNode, outcome: Outcome | undefined): SpanReading['ended'] {
  if (!outcome) return null
  const { state, rule, by } = outcome
  return { state, why: by === node ? rule.why : `${rule.why}: "${by.span.name}" (${by.span.spanId})` }
}

function readingOf(
  node: AdoptNode,
  written: StoredSpan | undefined,
  standsFor: AdoptNode | undefined,
): Omit<SpanReading, 'ended'> {
  const { span, own } = node
  const isForeign = own === undefined && hasRole(node)
  const taken = isForeign && written ? { ...takenFrom(node, written), ...node.guess?.sources } : {}
  const sources = new Set([...Object.values(taken), ...ruleKeys(kindRuleOf(span))])
  return {
    spanId: span.spanId,
    parentSpanId: node.parent?.span.spanId ?? '',
    name: span.name,
    role: own ?? (isForeign ? node.kind : null),
    convention: own === undefined ? (node.convention ?? null) : 'planspan',
    why: reasonOf(node, standsFor),
    taken,
    ignored: isForeign
      ? Object.keys(span.attributes).filter(
          (key) => !isUsed(key, node.kind, sources) && !(key in taken) && conventionType(key) === undefined,
        )
      : [],
    missing: written?.attributes[ATTR.adoptedGap] ?? null,
    misspelt: misspelt(Object.keys(span.attributes)),
  }
}

const ruleKeys = (rule: KindRule | undefined): string[] => Object.keys(rule?.when ?? {})

/** Returns the attributes that were derived from a span, each with the attribute that it was read from. */
function takenFrom(node: AdoptNode, { attributes }: StoredSpan): Record<string, string | null> {
  const taken: Record<string, string | null> = {}
  for (const key in attributes) {
    const places = sourcesOf(node.kind)[key]
    const source = places && sourceIn(node, places)
    if (source !== undefined) taken[key] = source
    else if (node.span.attributes[key] !== attributes[key]) taken[key] = null
  }
  return { ...taken, ...takenFromElsewhere(node, attributes) }
}

const MESSAGES = 'the messages of model calls'

/** Returns the attributes that were read from other spans, each with where. */
function takenFromElsewhere(node: AdoptNode, attributes: StoredSpan['attributes']): Record<string, string> {
  const { [ATTR.adoptedFromMessages]: parts } = attributes
  const read =
    parts === undefined ? [] : (textListCodec.decode(parts) ?? []).flatMap((part) => PARTS_OF_CALLS[part] ?? [])
  const spoken = Object.entries(SPOKEN[node.kind] ?? {}).flatMap(([key, find]) => {
    const { node: owner = node, isInMessages = false } = find(node) ?? {}
    if (isInMessages) return [[key, MESSAGES]]
    return owner === node ? [] : [[key, `the agent "${agentNameOf(owner) ?? owner.span.name}"`]]
  })
  return Object.fromEntries([...read.map((key) => [key, MESSAGES]), ...spoken]) as Record<string, string>
}

/** The attributes of a call that messages contain, by the words of `planspan.adopted.from_messages`. */
const PARTS_OF_CALLS: Readonly<Record<string, readonly string[]>> = {
  call: [ATTR.toolName, ATTR.toolCallId],
  arguments: [ATTR.toolCallArguments],
  result: [ATTR.toolCallResult],
}

const SPOKEN: Partial<Record<Kind, Readonly<Record<string, (node: AdoptNode) => Spoken | undefined>>>> = {
  plan: { [ATTR.inputMessages]: planRequest, [ATTR.planSummary]: planAnswer },
  agent: { [ATTR.inputMessages]: agentRequest, [ATTR.outputMessages]: ownAnswer },
}

function sourceIn({ span, twins }: AdoptNode, places: readonly Place[]): string | undefined {
  for (const each of [span, ...twins.map((twin) => twin.span)]) {
    const place = places.find((one) => factOf(each, [one]) !== undefined)
    if (place !== undefined) return nameOf(place)
  }
  return undefined
}

function nameOf(place: Place): string {
  if (typeof place === 'string') return place
  if ('as' in place) return place.as
  if ('event' in place) return `${place.event}: ${place.key}`
  if ('object' in place) return Object.values(place.object).join(', ')
  return 'key' in place ? place.key : 'in' in place ? place.in : NAME
}

/** Whether an attribute was read, alone or together with others. */
const isUsed = (key: string, kind: Kind, sources: ReadonlySet<string | null>): boolean =>
  sources.has(key) ||
  Object.values(sourcesOf(kind))
    .flat()
    .some((place) => typeof place === 'object' && 'each' in place && sources.has(place.as) && place.each.test(key))

function reasonOf(node: AdoptNode, standsFor: AdoptNode | undefined): string {
  const { span, own, kind } = node
  if (own !== undefined) return `planspan.span.kind = ${own}`
  if (node.rows.length === 0)
    return kind === 'tool' ? 'derived: a model requests it, and no span reports it' : 'derived: not sent'
  const rule = kindRuleOf(span)
  if (node.guess) return 'no rule matches: read by the names of its attributes'
  if (!rule) return isUnread(span) || guessOf(span) ? 'not understood: no rule matches' : 'not part of an agent'
  const conditions = ruleKeys(rule).map((key) => `${key} = ${shown(span, key)}`)
  const why = conditions.join(', ')
  if (standsFor) return `${why}; a duplicate of "${standsFor.span.name}" (${standsFor.span.spanId})`
  if (!hasRole(node)) return `${why}; without a role`
  return rule.kind === kind ? why : `${why}; its place in the trace makes it ${kind}`
}

function shown({ name, scopeName, attributes }: StoredSpan, key: string): string {
  const value = key === NAME ? name : key === SCOPE ? scopeName : (attributes[key] ?? '')
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
}

const MAX_SHOWN = 80
