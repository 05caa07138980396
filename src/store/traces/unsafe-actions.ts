import { ATTR, isUnsafe } from '../../semconv/index.js'
import { querySql, readRows, type QueryTarget } from '../client/query.js'
import type { FinalSpan } from './final-span.js'

/** What came of an action that a guardrail found unsafe. */
export interface UnsafeAction {
  readonly taken: boolean
  /** The tool that it was to call; '' where that is not known. */
  readonly tool: string
}

interface UnsafeActionRow extends UnsafeAction {
  readonly traceId: string
  readonly spanId: string
}

/**
 * Adds to the guardrails of traces whether the actions were taken that they found unsafe. The indexer decides that from
 * the rest of their cycles; its rows are read once, as soon as a guardrail found an action unsafe.
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

/** Whether a span is of a guardrail that found an action unsafe. */
export const hasUnsafeAction = ({ attributes }: FinalSpan): boolean =>
  attributes[ATTR.spanKind] === 'guardrail' && isUnsafe(attributes)

const keyOf = (traceId: string, spanId: string): string => `${traceId}/${spanId}`
