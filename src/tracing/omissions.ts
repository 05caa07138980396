import type { Attributes } from '@opentelemetry/api'
import { ATTR } from '../semconv/index.js'
import { countDrop } from './drops.js'
import { countUnknownOption } from './option-names.js'

/** The values that were left out of one span. */
export class Omissions {
  #dropped = 0
  #redacted: Set<string> | undefined

  drop(kind: Parameters<typeof countDrop>[0], what: string, count = 1): void {
    this.#dropped += count
    countDrop(kind, what, count)
  }

  /** Counts a value with an unknown name. */
  unknown(subject: string, name: string, known: ReadonlyMap<string, unknown>): void {
    this.#dropped++
    countUnknownOption(subject, name, known)
  }

  /** Counts values for this span only, which are counted for the process elsewhere. */
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
