import { PlanspanError } from '../../../error.js'
import { ATTR, EVENTS, toWellFormed, type State } from '../../../semconv/index.js'
import { itemsOf, member, stringOf, type JsonNode, type JsonObject } from '../../json/index.js'
import { unixNanoOf, type HomeValues } from '../../record-object/index.js'
import { stateOfWord } from '../../tree/index.js'
import type { DialectRecord, EncodeContext } from '../dialect.js'
import { draft, draftState, type Bounds, type EventDraft, type SpanDraft } from '../span-draft.js'
import { eraOf, ERAS, type Era } from './era.js'

/** The planner, the only agent whose telemetry it records, and that agent's only tool. */
export const PLANNER = 'planner'
export const RESEARCHER = 'researcher'
export const SEARCH = 'search'

/** Reads one planner run. It has no id, so its key is the hash of its line and its ordinal among equal lines. */
export function encodeReviewLog(document: JsonNode, { digest, ordinal }: EncodeContext): DialectRecord {
  if (document.kind !== 'object') {
    throw new PlanspanError('invalid_record', `Expected a review-log record as a JSON object, got: ${document.kind}.`)
  }
  const era = eraOf(document)
  const key = ordinal === 0 ? digest : `${digest}-${ordinal}`
  return { era, key, planId: undefined, rootPlanId: undefined, draft: runDraft(document, ERAS[era]) }
}

function runDraft(record: JsonObject, era: Era): SpanDraft {
  const { plan: values, parts } = era.objects.run.read(record)
  // The writer's clock is UTC, whatever the zone of other records, and is written without a zone.
  const end = values.writtenAt === undefined ? undefined : unixNanoOf(values.writtenAt, 'UTC')
  const reviews = itemsOf(member(record, 'review_log'))
  const lastReview = reviews.at(-1)
  const finalAction = stringOf(member(lastReview, 'action'))
  return draft(
    'plan',
    {
      ...values,
      ...(values.reviewLog === undefined ? {} : { reviewCount: reviews.length }),
      reviewFinalAction: finalAction,
    },
    {
      every: { status: finalAction, ...draftState(runState(record, lastReview)) },
      end,
      events: reviews.map(reviewEvent),
      children: parts.researcher?.kind === 'object' ? [researcherDraft(parts.researcher, end, era)] : [],
    },
  )
}

/** The planner stores a run when it is over. Evidence of another state takes precedence. */
function runState(record: JsonObject, lastReview: JsonNode | undefined): State {
  if (lastReview) {
    const action = stringOf(member(lastReview, 'action'))
    if (!action) return 'waiting'
    const reviewed = stateOfWord(action)
    if (reviewed && reviewed !== 'completed') return reviewed
  }
  return stateOfSteps(member(record, 'plan'))
}

/** Returns the state of a run whose plan has these steps. */
export function stateOfSteps(plan: JsonNode | undefined): State {
  const states = new Set(itemsOf(member(plan, 'steps')).map((step) => stateOfWord(stringOf(member(step, 'status')))))
  if (states.has('failed')) return 'failed'
  return states.has('running') ? 'running' : 'completed'
}

/** An event for viewers. The data is stored in the list on the span. */
function reviewEvent(review: JsonNode): EventDraft {
  const attempt = member(review, 'attempt')
  const count = attempt?.kind === 'number' ? Number(attempt.text) : Number.NaN
  const action = stringOf(member(review, 'action'))
  const feedback = stringOf(member(review, 'feedback'))
  return {
    name: EVENTS.review,
    attributes: {
      ...(Number.isSafeInteger(count) ? { [ATTR.reviewAttempt]: count } : {}),
      ...(action === undefined ? {} : { [ATTR.reviewAction]: toWellFormed(action) }),
      ...(feedback === undefined ? {} : { [ATTR.reviewFeedback]: toWellFormed(feedback) }),
    },
  }
}

function researcherDraft(node: JsonObject, end: bigint | undefined, { objects }: Era): SpanDraft {
  const { agent: values, parts } = objects.researcher.read(node)
  const calls = itemsOf(parts.calls)
  const bounds = callTimes(calls, end)
  return draft(
    'agent',
    { ...values, name: RESEARCHER },
    {
      subject: RESEARCHER,
      every: { state: 'completed' },
      children: calls.flatMap((call, seq) =>
        call.kind === 'object' ? [callDraft(objects.call.read(call).tool, seq, bounds[seq])] : [],
      ),
    },
  )
}

const callDraft = (values: HomeValues<'tool'>, seq: number, bounds: Bounds | undefined): SpanDraft =>
  draft(
    'tool',
    { ...values, name: SEARCH },
    { subject: SEARCH, every: { timeSynthetic: true }, ...bounds, seq, children: [] },
  )

/** Whether a document is a planner run: a question, and the plan that answers it. */
export function isReviewLog(document: JsonNode): boolean {
  const plan = member(document, 'plan')
  if (plan?.kind !== 'object' || !member(document, 'question')) return false
  return ['timestamp', 'review_log', 'telemetry', 'locale'].some((key) => member(document, key) !== undefined)
}

/**
 * Derives when a researcher's calls ran from their durations: one after the other, the last one until `end`. Empty
 * without an end, or if the first would begin before 1970.
 */
function callTimes(calls: readonly JsonNode[], end: bigint | undefined): Bounds[] {
  if (end === undefined) return []
  const bounds: Bounds[] = []
  let next = end
  for (const call of [...calls].reverse()) {
    const start = next - durationOf(call)
    if (start < 0n) return []
    bounds.push({ start, end: next })
    next = start
  }
  return bounds.reverse()
}

function durationOf(call: JsonNode): bigint {
  const duration = member(call, 'duration_seconds')
  const nanoseconds = duration?.kind === 'number' ? Math.round(Number(duration.text) * 1e9) : 0
  return Number.isFinite(nanoseconds) && nanoseconds > 0 ? BigInt(nanoseconds) : 0n
}
