import { ATTR, isUnsafe } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'
import type { FinalSpan } from './final-span.js'

/** The outcome of an action that a guardrail found unsafe. */
export interface UnsafeAction {
  readonly taken: boolean
  /** The tool of the call; '' if unknown. */
  readonly tool: string
}

interface UnsafeActionRow extends UnsafeAction {
  readonly traceId: string
  readonly spanId: string
}

/**
 * Adds the outcome of unsafe actions to the guardrails of traces. The indexer decides the outcome from the rest of the
 * cycle; its rows are read once, when the first such guardrail appears.
 */
export class UnsafeActions {
  readonly #target: QueryTarget
  readonly #traceIds: readonly string[]
  #actions: Promise<Map<string, UnsafeAction>> | undefined

  constructor(target: QueryTarget, traceIds: readonly string[]) {
    this.#target = target
    this.#traceIds = traceIds
  }

  async addTo(spans: readonly FinalSpan[]): Promise<readonly FinalSpan[]> {
    if (!spans.some(hasUnsafeAction)) return spans
    const actions = await (this.#actions ??= this.#read())
    return spans.map((span) => {
      const unsafeAction = hasUnsafeAction(span) ? actions.get(keyOf(span.traceId, span.spanId)) : undefined
      return unsafeAction ? { ...span, unsafeAction } : span
    })
  }

  async #read(): Promise<Map<string, UnsafeAction>> {
    const { database, indexed } = this.#target
    await indexed?.()
    const sql = querySql('judged_spans', { database })
    const rows = await readRows<UnsafeActionRow>(this.#target, sql, { traceIds: [...this.#traceIds] })
    return new Map(rows.map(({ traceId, spanId, ...action }) => [keyOf(traceId, spanId), action]))
  }
}

/** Whether a span is a guardrail that found an action unsafe. */
export const hasUnsafeAction = ({ attributes }: FinalSpan): boolean =>
  attributes[ATTR.spanKind] === 'guardrail' && isUnsafe(attributes)

const keyOf = (traceId: string, spanId: string): string => `${traceId}/${spanId}`
