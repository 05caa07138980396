import type { Attributes } from '@opentelemetry/api'
import { ATTR } from '../semconv/index.js'
import { countDrop, type DropKind } from './drops.js'

/** The values that were left out of one span. */
export class Omissions {
  #dropped = 0
  #redacted: Set<string> | undefined

  drop(kind: DropKind, what: string, count = 1): void {
    this.#dropped += count
    countDrop(kind, what, count)
  }

  /** Counts values cut by the SDK's limits, for this span only: PlanspanProcessor counts them for the process. */
  cut(count: number): void {
    this.#dropped += count
  }

  /** Notes a content attribute that is left out because content capture is off. */
  redact(key: string): void {
    this.#redacted ??= new Set()
    this.#redacted.add(key)
  }

  /** The attributes that describe what was left out; undefined if nothing was. */
  attributes(): Attributes | undefined {
    if (this.#dropped === 0 && !this.#redacted) return undefined
    return {
      ...(this.#dropped > 0 && { [ATTR.dropped]: this.#dropped }),
      ...(this.#redacted && { [ATTR.redactedFields]: [...this.#redacted] }),
    }
  }
}
