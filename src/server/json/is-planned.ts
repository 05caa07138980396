import type { TreeSpan } from '../../mapping/index.js'
import { ATTR, EVENTS, type Role } from '../../semconv/index.js'

type PlannedSpan = Pick<TreeSpan, 'attributes' | 'events' | 'pending'>

const has = (text: string | undefined): boolean => text !== undefined && text !== '' && text !== '[]'
const hasSteps = ({ attributes }: PlannedSpan): boolean =>
  has(attributes[ATTR.planSteps]) || has(attributes[ATTR.planStepsJson])

/** Whether a span of each role shows steps, several versions of a plan, reviews or a wait. */
const SHOWS_PLANNING: Readonly<Partial<Record<Role, (span: PlannedSpan) => boolean>>> = {
  plan: (span) =>
    hasSteps(span) || has(span.attributes[ATTR.reviewLog]) || span.events.some(({ name }) => name === EVENTS.review),
  planning: (span) => span.pending || hasSteps(span),
  wait: () => true,
  agent: ({ attributes }) => attributes[ATTR.stepIndex] !== undefined,
  think_act: (span) => hasSteps(span) || span.attributes[ATTR.planUpdateNeeded] === 'true',
}

/** Returns whether the steps of a trace's plans contain more than its tree. */
export const isPlanned = (spans: readonly PlannedSpan[]): boolean =>
  spans.some(({ attributes }) => attributes[ATTR.spanKind] === 'plan') &&
  spans.some((span) => SHOWS_PLANNING[span.attributes[ATTR.spanKind] as Role]?.(span) === true)
