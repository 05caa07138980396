import {
  errorTextOf,
  type Failure,
  type Faults,
  isoOf,
  latestSteps,
  placesOfAgents,
  type PersonWait,
  type RiskyAction,
  type SpanNode,
  stateIfBegun,
} from '../../mapping/index.js'
import { ATTR, decodeFields, guardrailFields, toolFields, waitFields } from '../../semconv/index.js'
import { cutText, type FaultsJson } from '../../wire/index.js'
import { spanLabel } from './span-label.js'

type PlaceJson = FaultsJson['failures']['items'][number]['path'][number]

/** The part of each list that is returned. */
export interface FaultsPage {
  readonly limit: number
  readonly offset: number
}

/** Returns a page of each list of faults in a trace. */
export function toFaultsJson(
  traceId: string,
  { failures, actions, waits }: Faults,
  { limit, offset }: FaultsPage,
): FaultsJson {
  const page = <T, U>(all: readonly T[], toJson: (one: T) => U) => ({
    count: all.length,
    items: all.slice(offset, offset + limit).map(toJson),
  })
  return {
    traceId,
    failures: page(failures, failureJson),
    actions: page(actions, actionJson),
    waits: page(waits, waitJson),
  }
}

function failureJson({ node, errors: [error], reached }: Failure): FaultsJson['failures']['items'][number] {
  return {
    spanId: node.span.spanId,
    time: isoOf(node.span.endTimeUnixNano),
    errorType: error?.type ?? null,
    message: cutText(errorTextOf(node) || undefined),
    reached: reached.span.spanId,
    endedPlan: reached.role === 'plan' && reached.parent === undefined,
    path: pathTo(node),
  }
}

function actionJson({ guardrail, taken, calls: [call] }: RiskyAction): FaultsJson['actions']['items'][number] {
  const { attributes, spanId, endTimeUnixNano } = guardrail.span
  const { name, score, policies, explanation, actionName, actionArguments } = decodeFields(guardrailFields, attributes)
  const made = call && decodeFields(toolFields, call.span.attributes)
  return {
    spanId,
    time: isoOf(endTimeUnixNano),
    guardrail: name ?? null,
    taken: taken ?? null,
    risk: score ?? null,
    policies: [...(policies ?? [])],
    explanation: cutText(explanation),
    tool: actionName ?? made?.name ?? null,
    callSpanId: call?.span.spanId ?? null,
    arguments: cutText(actionArguments ?? made?.arguments, MAX_ARGUMENTS),
    path: pathTo(guardrail),
  }
}

function waitJson({ node, isOpen, nanoseconds }: PersonWait): FaultsJson['waits']['items'][number] {
  const { attributes, spanId, startTimeUnixNano } = node.span
  const { reason, title, resolution, actor } = decodeFields(waitFields, attributes)
  return {
    spanId,
    startTime: isoOf(startTimeUnixNano),
    durationMs: nanoseconds === undefined ? null : Number(nanoseconds) / 1e6,
    open: isOpen,
    reason: reason ?? null,
    title: cutText(title),
    resolution: resolution ?? null,
    actor: actor ?? null,
    path: pathTo(node),
  }
}

/** The maximum length of a path, which keeps the outermost plan and the innermost spans. */
const MAX_PATH = 30

function pathTo(node: SpanNode): PlaceJson[] {
  const path: SpanNode[] = []
  for (let at: SpanNode | undefined = node; at; at = at.parent) path.push(at)
  const shown = path.length > MAX_PATH ? [...path.slice(0, MAX_PATH - 1), ...path.slice(-1)] : path
  return shown.reverse().map(placeJson)
}

function placeJson(node: SpanNode): PlaceJson {
  const { spanId, name, attributes } = node.span
  const plan = node.role === 'agent' ? planAbove(node) : undefined
  const place = plan && placesOfAgents(plan)(node)
  return {
    spanId,
    role: node.role ?? null,
    name,
    label: spanLabel(node.span, node.role),
    state: (node.role && stateIfBegun(node)) ?? null,
    planId: attributes[ATTR.planId] ?? null,
    step: typeof place === 'number' ? place + 1 : null,
    steps: typeof place === 'number' && plan ? latestSteps(plan).length || null : null,
  }
}

function planAbove({ parent }: SpanNode): SpanNode | undefined {
  let above = parent
  while (above && above.role !== 'plan') above = above.parent
  return above
}

/** The maximum length of arguments, shorter than what is read of a call that did not fail. */
const MAX_ARGUMENTS = 200
