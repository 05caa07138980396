/** The version of the mapping that wrote a span. Increase it when the meaning of an attribute changes. */
export const SCHEMA_VERSION = 1

/** The instrumentation scope of every span that planspan starts or imports. */
export const SCOPE_NAME = 'planspan'

/** The release of open-telemetry/semantic-conventions-genai that planspan's spans follow. */
export const CONVENTIONS_VERSION = '0.1.0'

/** The schema URL of that release. */
export const SCHEMA_URL = `https://opentelemetry.io/schemas/gen-ai/${CONVENTIONS_VERSION}`

/** The states of a plan, agent or step. */
export const STATES = [
  'planning',
  'running',
  'updating',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'interrupted',
] as const

/** The state of a plan, agent or step. */
export type State = (typeof STATES)[number]

/** Whether a plan, agent or step reached this end state by itself. */
export const isDone = (state: string | undefined): boolean => DONE.has(state ?? '')

const DONE: ReadonlySet<string> = new Set<State>(['completed', 'failed', 'cancelled'])

/** Whether a state is final. */
export const isOver = (state: string | undefined): boolean => isDone(state) || state === 'interrupted'

/** The kinds of remarks in the headline of a plan. */
export const REMARK_KINDS = ['fault', 'unsafe', 'wait', 'activity'] as const

/** What a remark is about: a failure, an unsafe action that was taken, a wait for a person, or the work in progress. */
export type RemarkKind = (typeof REMARK_KINDS)[number]

/** How faithful a rebuilt record is. */
export const VERDICTS = ['complete', 'redacted', 'partial', 'altered'] as const

/**
 * How faithful a rebuilt record is: `complete`; `redacted`, values were masked or left out on purpose; `partial`, spans
 * are missing; `altered`, an imported record changed.
 */
export type Verdict = (typeof VERDICTS)[number]

/** Span events. */
export const EVENTS = {
  exception: 'exception',
  evaluation: 'gen_ai.evaluation.result',
  inferenceDetails: 'gen_ai.client.inference.operation.details',
  review: 'planspan.review',
  message: 'planspan.message',
  planCreated: 'planspan.plan.created',
  planUpdated: 'planspan.plan.updated',
  planCompleted: 'planspan.plan.completed',
  stepStatusChanged: 'planspan.step.status_changed',
  toolStatusChanged: 'planspan.tool.status_changed',
  streamEvent: 'planspan.event',
  streamComment: 'planspan.comment',
} as const

/** Values of `planspan.link.type`. */
export const LINK_TYPES = { guards: 'guards', resumedFrom: 'resumed_from' } as const

/** Values of `planspan.wait.reason`. */
export const WAIT_REASONS = ['form_input', 'plan_review', 'tool_approval'] as const

/** What a plan waits for: input, a review of the plan, or the approval of a tool call. */
export type WaitReason = (typeof WAIT_REASONS)[number]

/** Values of `planspan.wait.resolution`. */
export const WAIT_RESOLUTIONS = ['submitted', 'approved', 'refused', 'expired', 'cancelled'] as const

/** How a wait ended. */
export type WaitResolution = (typeof WAIT_RESOLUTIONS)[number]

/** Values of `planspan.review.action`. */
export const REVIEW_ACTIONS = ['ACCEPT_PLAN', 'REQUEST_CHANGES', 'ABORT'] as const

/** What a reviewer decided. */
export type ReviewAction = (typeof REVIEW_ACTIONS)[number]

/** The value of `error.type` if the record names no class of error. */
export const UNTYPED_ERROR = '_OTHER'

/** The value of `gen_ai.provider.name`, which the conventions require, if nothing names a call’s provider. */
export const UNKNOWN_PROVIDER = '_OTHER'

/** The value of `planspan.span.state` on a snapshot of an open span. */
export const PENDING = 'pending'

/** The value of `planspan.record.era` on a record that planspan wrote itself, in any dialect. */
export const OWN_ERA = 'planspan'

/** HTTP headers of a response with a rebuilt record. */
export const RECORD_HEADERS = {
  verdict: 'planspan-verdict',
  state: 'planspan-state',
  dialect: 'planspan-dialect',
  trace: 'planspan-trace',
  /** The number of gaps in a partial record. */
  missing: 'planspan-missing',
  /** The first gaps in words: a JSON array in ASCII. */
  missingList: 'planspan-missing-list',
  /** What a converted record does not hold: a JSON array of {kind, count, of}. */
  leftOut: 'planspan-left-out',
} as const
