import { ATTR, type StoredSpan } from '../../../semconv/index.js'
import { absorb, above, type AdoptNode, byStart, move, nearestBelow, walk } from '../adopt-node.js'
import { type Answers, answersIn, resolutionOf } from './answers.js'
import type { CallsOf } from '../calls/asked-calls.js'
import type { Asked } from './asked-of-person.js'
import { extendOver } from '../derived-node.js'
import { OUTPUT } from '../values/fact-places.js'
import { agentNameOf } from '../values/node-facts.js'
import { isCallOf, isDone, workOf } from './open-calls.js'
import type { PlacedWait } from './place-waits.js'

/**
 * Joins the outermost plans of the traces that continue a plan with that plan. The roots are in order: those of the
 * first trace are first.
 */
export function joinTraces(roots: readonly AdoptNode[]): void {
  const traceId = roots[0]?.span.traceId
  const later = roots.filter(({ span }) => span.traceId !== traceId)
  if (later.length === 0) return
  const outermost = (root: AdoptNode) =>
    root.kind === 'plan' ? [root] : nearestBelow(root).filter(({ kind }) => kind === 'plan')
  const [plan] = roots.filter(({ span }) => span.traceId === traceId).flatMap(outermost)
  for (const root of later) {
    for (const next of outermost(root)) {
      if (plan) goOn(plan, next)
      else next.kind = 'group'
    }
    if (plan) extendOver(plan, [root])
  }
}

/**
 * Joins each run that waits for a person with the later run that begins with the answer, in the same trace or in one
 * that continues it: they are one agent with a wait.
 */
export function continueRuns(
  tops: readonly AdoptNode[],
  waits: readonly PlacedWait[],
  {
    traceId: firstTrace,
    callsOf,
    answersOf,
  }: { readonly traceId: string; readonly callsOf: CallsOf; readonly answersOf: ReadonlyMap<string, Answers> },
): void {
  if (waits.length === 0) return
  const foreign = tops.flatMap((top) => [...walk(top)]).filter(({ own }) => own === undefined)
  for (const next of foreign.filter(({ kind }) => kind === 'agent').sort(byStart)) {
    const run = waits.find((wait) => isOpen(wait) && isContinuedBy(wait, next))?.run
    if (!run) continue
    const { traceId } = next.span
    const own = answersIn(walk(next), callsOf)
    const answers = {
      ...own,
      resumed: own.resumed ?? (traceId === firstTrace ? undefined : answersOf.get(traceId)?.resumed),
    }
    const closed = waits.filter((wait) => wait.run === run && isContinuedBy(wait, next) && close(wait, next, answers))
    if (closed.length === 0) continue
    for (const wait of closed) repeatCall(wait, next)
    openRepeatedCycles(next, closed)
    goOn(run, next)
    for (const wait of waits) if (wait.run === next) wait.run = run
  }
  for (const wait of waits) {
    const next = foreign.find(
      ({ span, rows }) => span.traceId !== firstTrace && rows.length > 0 && span.startTimeUnixNano >= wait.until,
    )
    const answers = next && answersOf.get(next.span.traceId)
    if (next && answers) close(wait, next, answers)
  }
}

const isOpen = ({ node }: PlacedWait): boolean => node.attributes[ATTR.state] === 'waiting'

/** Whether an agent may continue the run that waits: the same agent of the same plan, begun after the question. */
const isContinuedBy = ({ run, until }: PlacedWait, next: AdoptNode): boolean =>
  next !== run &&
  run.kind === 'agent' &&
  next.span.startTimeUnixNano >= until &&
  above(next) === above(run) &&
  agentNameOf(next) === agentNameOf(run)

/** Ends a wait with the answer that a later run begins with. Returns false if that run has none. */
function close(wait: PlacedWait, next: AdoptNode, answers: Answers): boolean {
  const found = isOpen(wait) ? resolutionOf(wait.asked, answers, wait.isApproval) : undefined
  if (!found) return false
  const { node } = wait
  node.span = { ...node.span, endTimeUnixNano: next.span.startTimeUnixNano }
  const { resolution, answer } = found
  Object.assign(node.attributes, {
    [ATTR.waitWaiting]: 'false',
    [ATTR.state]: resolution === 'refused' ? 'cancelled' : 'completed',
    [ATTR.waitResolution]: resolution,
    ...(answer !== undefined && { [ATTR.waitAnswer]: answer }),
  })
  wait.answeredBy = next
  return true
}

/**
 * The later run makes the call again for which the earlier one stopped. Without a recorded result, it is the call
 * before the first model call.
 */
function repeatCall({ run, asked }: PlacedWait, next: AdoptNode): void {
  const calls = callsBelow(next, asked)
  const model = workOf(next).find(({ kind }) => kind === 'llm')
  const again = calls.find(isDone) ?? calls.find((call) => model && byStart(call, model) < 0)
  for (const tool of again ? callsBelow(run, asked) : []) if (again && !isDone(tool)) absorb(again, tool)
}

/** A cycle that only makes those calls again is the one that requested them. */
function openRepeatedCycles(next: AdoptNode, closed: readonly PlacedWait[]): void {
  for (const cycle of nearestBelow(next)) {
    if (cycle.kind !== 'think_act' || cycle.own !== undefined) continue
    const work = nearestBelow(cycle)
    const isRepeated = (node: AdoptNode): boolean =>
      node.kind === 'tool' && closed.some(({ asked: { id, tool: name } }) => isCallOf(node, { id, name }))
    if (work.length > 0 && work.every(isRepeated)) cycle.kind = 'group'
  }
}

const callsBelow = (agent: AdoptNode, { id, tool: name }: Asked): AdoptNode[] =>
  nearestBelow(agent, ['think_act']).filter((tool) => tool.kind === 'tool' && isCallOf(tool, { id, name }))

/** Marks the calls that a person refused as cancelled: they are no errors. */
export function markRefused(waits: readonly PlacedWait[]): void {
  for (const { node, run, asked } of waits) {
    if (node.attributes[ATTR.waitResolution] !== 'refused') continue
    for (const tool of callsBelow(run, asked)) {
      tool.span = { ...tool.span, statusCode: 'UNSET', statusMessage: '', events: [] }
      tool.attributes[ATTR.state] = 'cancelled'
    }
  }
}

/** The attributes that say how a run ended. */
const ENDS: ReadonlySet<string> = new Set(OUTPUT.filter((place) => typeof place === 'string'))

/** Makes a run go on with a later one, which says how it ended. */
function goOn(run: AdoptNode, next: AdoptNode): void {
  const { statusCode, statusMessage, events } = next.span
  for (const each of [run, ...run.twins]) each.span = { ...each.span, attributes: withoutEnds(each.span.attributes) }
  move(next, run)
  absorb(run, next)
  extendOver(run, [next])
  run.span = { ...run.span, statusCode, statusMessage, events: [...run.span.events, ...events] }
}

const withoutEnds = (attributes: StoredSpan['attributes']): StoredSpan['attributes'] =>
  Object.fromEntries(Object.entries(attributes).filter(([key]) => !ENDS.has(key)))
