import { appendTo } from '../../base/append.js'
import { ATTR, spanName } from '../../semconv/index.js'
import type { FoldedSpan } from './fold.js'
import { hashId } from './hash-id.js'

/**
 * The heartbeat interval that planspan's programs announce by default, milliseconds. The span that would announce
 * another one is missing.
 */
const HEARTBEAT_MS = 30_000

/**
 * Adds an open plan span for each plan that spans name and whose own span is not stored, as after an agent was killed
 * in its first second. When the plan's span arrives, it takes the place of the added one.
 */
export function withMissingPlans(spans: readonly FoldedSpan[]): readonly FoldedSpan[] {
  const stored = new Set<string | undefined>()
  for (const span of spans) if (isPlanHead(span)) stored.add(span.attributes[ATTR.planId])
  const missing = new Map<string, FoldedSpan[]>()
  for (const span of spans) {
    const planId = span.attributes[ATTR.planId]
    if (planId && !stored.has(planId)) appendTo(missing, planId, span)
  }
  return missing.size === 0 ? spans : [...spans, ...[...missing].map(([planId, own]) => missingPlan(planId, own))]
}

/** Whether a span stands for a plan whose own span is not stored. */
export const isMissingPlan = ({ attributes }: Pick<FoldedSpan, 'attributes'>): boolean =>
  attributes[ATTR.adoptedGap] === GAP && attributes[ATTR.adoptedMadeUp] === 'true'

const GAP = 'the span of the plan'

/** Whether a span is that of a plan, or of an agent whose record was imported alone. */
export function isPlanHead({ attributes }: Pick<FoldedSpan, 'attributes'>): boolean {
  const kind = attributes[ATTR.spanKind]
  return kind === 'plan' || (kind === 'agent' && attributes[ATTR.recordDialect] !== undefined)
}

function missingPlan(planId: string, own: readonly FoldedSpan[]): FoldedSpan {
  const first = own.reduce((a, b) => (b.startTimeUnixNano < a.startTimeUnixNano ? b : a))
  const rootPlanId = own.reduce((last, { attributes: { [ATTR.planRootId]: id = '' } }) => (id > last ? id : last), '')
  const conversation = own.find(({ attributes }) => attributes[ATTR.conversationId])
  return {
    ...first,
    spanId: hashId(`${first.traceId}/${planId}/plan`, 16),
    parentSpanId: '',
    name: spanName('plan'),
    kind: 'Internal',
    endTimeUnixNano: first.startTimeUnixNano,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes: {
      [ATTR.spanKind]: 'plan',
      [ATTR.planId]: planId,
      [ATTR.planRootId]: rootPlanId || planId,
      ...(conversation && { [ATTR.conversationId]: conversation.attributes[ATTR.conversationId] ?? '' }),
      [ATTR.heartbeatIntervalMs]: String(HEARTBEAT_MS),
      [ATTR.adoptedMadeUp]: 'true',
      [ATTR.adoptedGap]: GAP,
    },
    events: [],
    links: [],
    pending: true,
  }
}
