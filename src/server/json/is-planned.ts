import type { TreeSpan } from '../../mapping/index.js'
import { ATTR, EVENTS, type Role } from '../../semconv/index.js'

type Told = Pick<TreeSpan, 'attributes' | 'events' | 'pending'>

const has = (text: string | undefined): boolean => text !== undefined && text !== '' && text !== '[]'
const hasSteps = ({ attributes }: Told): boolean =>
  has(attributes[ATTR.planSteps]) || has(attributes[ATTR.planStepsJson])

/** What on a span of each role tells of steps, of several versions of a plan, of its reviews, or of a wait. */
const TELLS: Readonly<Partial<Record<Role, (span: Told) => boolean>>> = {
  plan: (span) =>
    hasSteps(span) || has(span.attributes[ATTR.reviewLog]) || span.events.some(({ name }) => name === EVENTS.review),
  planning: (span) => span.pending || hasSteps(span),
  wait: () => true,
  agent: ({ attributes }) => attributes[ATTR.stepIndex] !== undefined,
  think_act: (span) => hasSteps(span) || span.attributes[ATTR.planUpdateNeeded] === 'true',
}

/** Whether the steps of a trace's plans tell more than its tree does. */
export const isPlanned = (spans: readonly Told[]): boolean =>
  spans.some(({ attributes }) => attributes[ATTR.spanKind] === 'plan') &&
  spans.some((span) => TELLS[span.attributes[ATTR.spanKind] as Role]?.(span) === true)
