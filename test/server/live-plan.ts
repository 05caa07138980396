import { ATTR, OPERATIONS, type Role, type Span, spanName } from '../../src/semconv/index.js'

const NOON = BigInt(Date.UTC(2026, 2, 4, 12)) * 1_000_000n
const MILLISECOND = 1_000_000n

/** The ids of the plan that `livePlan` makes. */
export interface LivePlanIds {
  readonly traceId: string
  readonly planId: string
  readonly subPlanId: string
  readonly stepId: string
}

/** A live plan as an SDK would send it: an agent, its cycle, a tool call and a sub-plan below that call. */
export function livePlan({ traceId, planId, subPlanId, stepId }: LivePlanIds): Span[] {
  const own = { [ATTR.planId]: planId, [ATTR.planRootId]: planId }
  const sub = {
    [ATTR.planId]: subPlanId,
    [ATTR.planRootId]: planId,
    [ATTR.planParentId]: planId,
    [ATTR.planParentToolCallId]: 'call-1',
  }
  const span = (number: number, parent: number, role: Role, attributes: Span['attributes']): Span => ({
    traceId,
    spanId: spanId(number),
    parentSpanId: parent === 0 ? '' : spanId(parent),
    name: spanName(role),
    kind: 'INTERNAL',
    startTimeUnixNano: NOON + BigInt(number) * MILLISECOND,
    endTimeUnixNano: NOON + BigInt(100 - number) * MILLISECOND,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: { [ATTR.spanKind]: role, [ATTR.operationName]: OPERATIONS[role], ...attributes },
    events: [],
    links: [],
  })
  return [
    span(1, 0, 'plan', { ...own, [ATTR.planTitle]: 'Live', [ATTR.state]: 'completed' }),
    span(2, 1, 'agent', { ...own, [ATTR.agentName]: 'scout', [ATTR.stepId]: stepId, [ATTR.state]: 'completed' }),
    span(3, 2, 'think_act', own),
    span(4, 3, 'tool', { ...own, [ATTR.toolName]: 'delegate', [ATTR.toolCallId]: 'call-1' }),
    span(5, 4, 'plan', { ...sub, [ATTR.planTitle]: 'Below', [ATTR.state]: 'completed' }),
  ]
}

const spanId = (number: number): string => number.toString(16).padStart(16, '0')
