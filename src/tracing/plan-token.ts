import { crc32 } from 'node:zlib'
import { isSpanContextValid, TraceFlags, type HrTime, type SpanContext } from '@opentelemetry/api'
import { WAIT_REASONS, type WaitReason } from '../semconv/index.js'

/** The ids and numbers that a later segment of a plan needs from an earlier one; no content. */
export interface PlanToken {
  /** The plan span of the segment; undefined if there was no SDK. */
  readonly span: SpanContext | undefined
  readonly planId: string
  readonly conversationId: string | undefined
  readonly workflow: string | undefined
  /** The index of the segment, from 0. */
  readonly segment: number
  /** The number of times the plan had been made or revised. */
  readonly revision: number
  /** The number of reviews. */
  readonly reviews: number
  /** The wait that was open. */
  readonly wait: TokenWait | undefined
}

/** A wait that continues in a later segment. */
export interface TokenWait {
  readonly id: string
  readonly span: SpanContext | undefined
  readonly startTime: HrTime
  readonly reason: WaitReason | undefined
}

/** A parsed token, or the reason why parsing failed. */
export type PlanTokenResult = { readonly token: PlanToken } | { readonly problem: string }

const VERSION = 'pt1'

/** Writes `pt1.<payload>.<checksum>`: letters, digits, `.`, `_` and `-`; about 300 characters with generated ids. */
export function formatPlanToken({ span, wait, ...plan }: PlanToken): string {
  const payload = Buffer.from(
    JSON.stringify([
      contextParts(span),
      plan.planId,
      plan.conversationId ?? null,
      plan.workflow ?? null,
      plan.segment,
      plan.revision,
      plan.reviews,
      wait ? [wait.id, wait.span?.spanId ?? null, wait.startTime, wait.reason ?? null] : null,
    ]),
  ).toString('base64url')
  return `${VERSION}.${payload}.${checksum(payload)}`
}

/** Parses the output of `formatPlanToken`; for anything else, returns the problem and never throws. */
export function parsePlanToken(text: unknown): PlanTokenResult {
  if (typeof text !== 'string') return { problem: `it is not text, but ${text === null ? 'null' : typeof text}` }
  const [version = '', payload = '', sum, ...rest] = text.trim().split('.')
  if (!/^pt\d+$/.test(version)) return { problem: 'it does not begin with "pt1."' }
  if (version !== VERSION) return { problem: `its version is ${version.slice(2)}, and this planspan reads version 1` }
  if (sum !== checksum(payload) || rest.length > 0)
    return { problem: 'it was truncated or changed: its checksum differs' }
  const token = readPayload(payload)
  return token ? { token } : { problem: 'its payload is malformed' }
}

const checksum = (payload: string): string => crc32(payload).toString(16).padStart(8, '0')

const contextParts = (span: SpanContext | undefined): unknown =>
  span && isSpanContextValid(span) ? [span.traceId, span.spanId, span.traceFlags] : null

function readPayload(payload: string): PlanToken | undefined {
  const parts = parseList(Buffer.from(payload, 'base64url').toString())
  if (parts?.length !== 8) return undefined
  const [context, planId, conversationId, workflow, segment, revision, reviews, wait] = parts
  if (!isText(planId) || !isTextOrNull(conversationId) || !isTextOrNull(workflow)) return undefined
  if (!isCount(segment) || !isCount(revision) || !isCount(reviews)) return undefined
  const span = readContext(context)
  const open = wait === null ? undefined : readWait(wait, span)
  if ((context !== null && !span) || (wait !== null && !open)) return undefined
  return {
    span,
    planId,
    conversationId: conversationId ?? undefined,
    workflow: workflow ?? undefined,
    segment,
    revision,
    reviews,
    wait: open,
  }
}

function parseList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readContext(value: unknown): SpanContext | undefined {
  const [traceId, spanId, traceFlags]: unknown[] = Array.isArray(value) ? value : []
  if (!isText(traceId) || !isText(spanId) || !isCount(traceFlags)) return undefined
  const context = { traceId, spanId, traceFlags: traceFlags & TraceFlags.SAMPLED, isRemote: true }
  return isSpanContextValid(context) ? context : undefined
}

function readWait(value: unknown, plan: SpanContext | undefined): TokenWait | undefined {
  const [id, spanId, startTime, reason]: unknown[] = Array.isArray(value) ? value : []
  const [seconds, nanos]: unknown[] = Array.isArray(startTime) ? startTime : []
  if (!isText(id) || !isTextOrNull(spanId) || !isCount(seconds) || !isCount(nanos)) return undefined
  const context = plan && spanId !== null ? { ...plan, spanId } : undefined
  if (context && !isSpanContextValid(context)) return undefined
  return {
    id,
    span: context,
    startTime: [seconds, nanos],
    reason: WAIT_REASONS.find((known) => known === reason),
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
