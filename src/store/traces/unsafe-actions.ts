import { isUnsafe } from '../../mapping/index.js'
import { ATTR } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../query.js'
import { risksOfTraces } from '../risks-of-traces.js'
import type { FinalSpan } from './final-span.js'

/** What came of an action that a guardrail found unsafe. */
export interface UnsafeAction {
  readonly taken: boolean
  /** The tool that it was to call; '' where that is not known. */
  readonly tool: string
}

interface UnsafeActionRow extends UnsafeAction {
  readonly TraceId: string
  readonly SpanId: string
}

/**
 * Tells of guardrails among the spans of traces what came of the actions that they found unsafe. That depends on what
 * else stands in their cycles, so that it is asked of ClickHouse, once, as soon as one found an action unsafe.
 */
export class UnsafeActions {
  readonly #target: QueryTarget
  readonly #traceIds: readonly string[]
  #actions: Promise<Map<string, UnsafeAction>> | undefined

  constructor(target: QueryTarget, traceIds: readonly string[]) {
    this.#target = target
    this.#traceIds = traceIds
  }

  async tell(spans: readonly FinalSpan[]): Promise<readonly FinalSpan[]> {
    if (!spans.some(hasUnsafeAction)) return spans
    const actions = await (this.#actions ??= this.#read())
    return spans.map((span) => {
      const unsafeAction = actions.get(keyOf(span.traceId, span.spanId))
      return unsafeAction ? { ...span, unsafeAction } : span
    })
  }

  async #read(): Promise<Map<string, UnsafeAction>> {
    const { database } = this.#target
    const sql = querySql('unsafe_actions', { database, risks: risksOfTraces(database) })
    const rows = await readRows<UnsafeActionRow>(this.#target, sql, { traceIds: [...this.#traceIds] })
    return new Map(rows.map(({ TraceId, SpanId, taken, tool }) => [keyOf(TraceId, SpanId), { taken, tool }]))
  }
}

/** Whether a span is of a guardrail that found an action unsafe. */
export const hasUnsafeAction = ({ attributes }: FinalSpan): boolean =>
  attributes[ATTR.spanKind] === 'guardrail' && isUnsafe(attributes)

const keyOf = (traceId: string, spanId: string): string => `${traceId}/${spanId}`
