import type { RemarkKind, State } from '../../semconv/index.js'

/** One thing that a reader needs to know first about a plan. */
export interface HeadlineRemark {
  readonly kind: RemarkKind
  readonly text: string
  /** The span that it is about. */
  readonly spanId: string
  /** The time since which it lasts, nanoseconds since the Unix epoch; undefined for what is over. */
  readonly sinceUnixNano: bigint | undefined
}

/** A plan as lists show it. The figures of an outermost plan include those of its sub-plans. */
export interface PlanSummary {
  readonly planId: string
  /** The id of the outermost plan; the plan's own id on an outermost plan. */
  readonly rootPlanId: string
  readonly traceId: string
  readonly live: boolean
  /** The imported record's dialect, source, key and digest; '' on a live plan. */
  readonly dialect: string
  /** The convention of a foreign trace, such as `openinference`; '' on a plan of planspan's own. */
  readonly convention: string
  readonly source: string
  readonly recordKey: string
  readonly digest: string
  readonly mappingVersion: number
  readonly redacted: boolean
  /** Whether the plan's own span is stored: not at all, only as snapshots, or ended. */
  readonly planSpan: 'missing' | 'pending' | 'final'
  /** `plan`, or `agent` for a standalone agent record; '' while the plan's span is missing. */
  readonly role: string
  /** The workflow, or the agent of a standalone agent record. */
  readonly name: string
  /** At most 500 characters each. */
  readonly title: string
  readonly request: string
  readonly state: State
  /** The source system's own word for the state. */
  readonly status: string
  readonly serviceName: string
  /** Start and end, nanoseconds since the Unix epoch; the end is the latest time in the plan and its sub-plans. */
  readonly startTimeUnixNano: bigint
  readonly endTimeUnixNano: bigint
  /** The time since which it waits for a person, nanoseconds since the Unix epoch; undefined unless it waits. */
  readonly waitingSinceUnixNano: bigint | undefined
  /** The numbers of its steps, of those that have begun, and of those that are completed. */
  readonly stepCount: number
  readonly stepsBegun: number
  readonly stepsCompleted: number
  /** The title of the current step, or of the last one, or the last agent’s task; at most 500 characters. */
  readonly currentStep: string
  /** What a reader needs to know first, the most important first. */
  readonly headline: readonly HeadlineRemark[]
  /** The number of ended spans, and of those with an error. */
  readonly spans: number
  readonly errors: number
  /** The number of original failures; a failure that another one below it has caused does not count. */
  readonly failures: number
  /** The tokens of all its model calls. */
  readonly tokens: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** The input tokens that came from a cache. */
  readonly cacheReadTokens: number
  /** The cost of the priced model calls, US dollars; undefined without any. */
  readonly costUsd: number | undefined
  /** The highest risk score; undefined without any. */
  readonly risk: number | undefined
  /** The numbers of judged actions, of those found unsafe, and of the unsafe ones that were stopped and taken. */
  readonly judged: number
  readonly unsafe: number
  readonly unsafeStopped: number
  readonly unsafeTaken: number
}

/** The fields that a row of `queries/plan_page.sql` writes differently. */
interface Written {
  readonly planSpan: number
  readonly start: string
  readonly end: string
  readonly waitingSince: string | null
  /** One remark per line. */
  readonly headline: string
  readonly headlineKinds: readonly RemarkKind[]
  readonly headlineSpans: readonly string[]
  readonly activitySince: string | null
  readonly tokens: number | string
  readonly inputTokens: number | string
  readonly outputTokens: number | string
  readonly cacheReadTokens: number | string
  readonly costUsd: number | null
  readonly risk: number | null
  /** The whole number that the plan is sorted by before its start. */
  readonly rank: string
}

type Computed = 'live' | 'headline' | 'startTimeUnixNano' | 'endTimeUnixNano' | 'waitingSinceUnixNano'

/** A row of `queries/plan_page.sql`. */
export interface PlanRow extends Omit<PlanSummary, keyof Written | Computed>, Written {}

const PLAN_SPAN = ['missing', 'pending', 'final'] as const

/** Converts a row to a summary. */
export function toSummary(planRow: PlanRow): PlanSummary {
  const {
    rank: _rank,
    start,
    end,
    waitingSince,
    headline,
    headlineKinds,
    headlineSpans,
    activitySince,
    ...row
  } = planRow
  const since: Partial<Record<RemarkKind, string | null>> = { wait: waitingSince, activity: activitySince }
  const texts = headline.split('\n')
  return {
    ...row,
    live: row.dialect === '',
    planSpan: PLAN_SPAN[row.planSpan] ?? 'missing',
    startTimeUnixNano: BigInt(start),
    endTimeUnixNano: BigInt(end),
    waitingSinceUnixNano: waitingSince === null ? undefined : BigInt(waitingSince),
    headline: headlineKinds.map((kind, at) => ({
      kind,
      text: texts[at] ?? '',
      spanId: headlineSpans[at] ?? '',
      sinceUnixNano: since[kind] ? BigInt(since[kind]) : undefined,
    })),
    tokens: Number(row.tokens),
    inputTokens: Number(row.inputTokens),
    outputTokens: Number(row.outputTokens),
    cacheReadTokens: Number(row.cacheReadTokens),
    costUsd: row.costUsd ?? undefined,
    risk: row.risk ?? undefined,
  }
}
