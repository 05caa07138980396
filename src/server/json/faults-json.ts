import { z } from 'zod'

import {
  errorText,
  type Failure,
  type Faults,
  isoOf,
  latestSteps,
  type PersonWait,
  type RiskyAction,
  type SpanNode,
  standingOf,
} from '../../mapping/index.js'
import {
  agentFields,
  ATTR,
  decodeFields,
  guardrailFields,
  ROLES,
  STATES,
  toolFields,
  waitFields,
} from '../../semconv/index.js'
import { beginning, cutText } from './cut-text.js'
import { spanLabel } from './span-label.js'

const time = z.string().describe('ISO 8601 in UTC, up to nanoseconds.')

const placeSchema = z.object({
  spanId: z.string(),
  role: z.enum(ROLES).nullable().describe('Null on a span that is no part of a plan.'),
  name: z.string(),
  label: z.string().describe('What it was about, at most 80 characters.'),
  state: z.enum(STATES).nullable(),
  planId: z.string().nullable().describe('The plan that it belongs to, which may be a sub-plan.'),
  step: z.number().int().nullable().describe('Of an agent: which step of its plan it works on, from 1.'),
  steps: z.number().int().nullable().describe('Of an agent: how many steps its plan has.'),
})
const pathSchema = z.array(placeSchema).describe('From the outermost plan to the span itself.')

const failureSchema = z.object({
  spanId: z.string(),
  time: time.describe('When the span ended, ISO 8601 in UTC.'),
  errorType: z.string().nullable(),
  message: beginning.nullable().describe('Of several errors the first; null where the span says only that it failed.'),
  reached: z.string().describe('The outermost span that failed with it: its own id where those above went on.'),
  endedPlan: z.boolean().describe('Whether that is the outermost plan.'),
  path: pathSchema,
})

const actionSchema = z.object({
  spanId: z.string().describe('The guardrail’s.'),
  time: time.describe('When the guardrail judged, ISO 8601 in UTC.'),
  guardrail: z.string().nullable(),
  taken: z.boolean().nullable().describe('Whether the action was taken; null where that is not known.'),
  risk: z.number().nullable(),
  policies: z.array(z.string()).describe('The ids of those that it violates.'),
  explanation: beginning.nullable(),
  tool: z.string().nullable().describe('The tool of the call that was judged.'),
  callSpanId: z.string().nullable().describe('The call’s span, which of a stopped call is made up.'),
  arguments: z.string().nullable().describe('At most 200 characters, likewise.'),
  path: pathSchema.describe('From the outermost plan to the guardrail.'),
})

const waitSchema = z.object({
  spanId: z.string(),
  startTime: time,
  durationMs: z.number().nullable().describe('Until now where it is open; null where no times are recorded.'),
  open: z.boolean().describe('Whether the answer is still awaited.'),
  reason: z.string().nullable().describe('form_input, plan_review or tool_approval.'),
  title: beginning.nullable(),
  resolution: z.string().nullable(),
  actor: z.string().nullable().describe('Who answered.'),
  path: pathSchema,
})

const listOf = <Item extends z.ZodType>(item: Item, order: string) =>
  z
    .object({ count: z.number().int().describe('Of all, whatever the page holds.'), items: z.array(item) })
    .describe(order)

/** The answer of `GET /api/records/{planId}/faults`. */
export const faultsSchema = z.object({
  traceId: z.string(),
  failures: listOf(
    failureSchema,
    'What failed by itself, the first to end first. An error that is thrown on is one, of the innermost span that tells it.',
  ),
  actions: listOf(actionSchema, 'Actions that a guardrail found unsafe, or stopped: those taken nonetheless first.'),
  waits: listOf(waitSchema, 'Waits for a person, the longest first.'),
})

/** What went wrong in a plan: failures, risky actions and waits. */
export type FaultsJson = z.output<typeof faultsSchema>
type PlaceJson = z.output<typeof placeSchema>

/** Which part of each list is told. */
export interface FaultsPage {
  readonly limit: number
  readonly offset: number
}

/** A page of each list of what went wrong in a trace. */
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
  const message = error && errorText(error)
  return {
    spanId: node.span.spanId,
    time: isoOf(node.span.endTimeUnixNano),
    errorType: error?.type ?? null,
    message: cutText(message === '' ? undefined : message),
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

/** The most that a path names: the outermost plan and the innermost of what is between. */
const MAX_PATH = 30

function pathTo(node: SpanNode): PlaceJson[] {
  const path: SpanNode[] = []
  for (let at: SpanNode | undefined = node; at; at = at.parent) path.push(at)
  const shown = path.length > MAX_PATH ? [...path.slice(0, MAX_PATH - 1), ...path.slice(-1)] : path
  return shown.reverse().map(placeJson)
}

function placeJson(node: SpanNode): PlaceJson {
  const { spanId, name, attributes } = node.span
  const { stepIndex } = node.role === 'agent' ? decodeFields(agentFields, attributes) : {}
  const plan = stepIndex === undefined ? undefined : planAbove(node)
  return {
    spanId,
    role: node.role ?? null,
    name,
    label: spanLabel(node.span, node.role),
    state: (node.role && standingOf(node)) ?? null,
    planId: attributes[ATTR.planId] ?? null,
    step: stepIndex === undefined ? null : stepIndex + 1,
    steps: plan === undefined ? null : latestSteps(plan).length || null,
  }
}

function planAbove({ parent }: SpanNode): SpanNode | undefined {
  let above = parent
  while (above && above.role !== 'plan') above = above.parent
  return above
}

/** Less than is read of a call that did not fail. */
const MAX_ARGUMENTS = 200
