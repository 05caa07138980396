import type { Attributes } from '@opentelemetry/api'

/** The notices that the live API gives a processor which watches an open span. */
export interface SpanWatch {
  /** Attributes that an open span has and an ended one has not, or has only from its end on. */
  describe: (() => Attributes) | undefined
  /** The span has more to show. */
  changed(): void
}

// On the SDK's own span, which processors and the tracer's caller both hold. A WeakMap costs several times as much.
const WATCH = Symbol('planspan watch')

interface WatchedSpan {
  [WATCH]?: SpanWatch
}

/** The watch of a span; undefined when no processor watches it. */
export const watchOf = (span: object): SpanWatch | undefined => (span as WatchedSpan)[WATCH]

/** Watches a span that starts, beside others that do. */
export function watchSpan(span: object, watch: SpanWatch): void {
  const other = watchOf(span)
  ;(span as WatchedSpan)[WATCH] = other ? new BothWatches(other, watch) : watch
}

class BothWatches implements SpanWatch {
  readonly #first: SpanWatch
  readonly #second: SpanWatch

  constructor(first: SpanWatch, second: SpanWatch) {
    this.#first = first
    this.#second = second
  }

  get describe(): SpanWatch['describe'] {
    return this.#first.describe
  }

  set describe(describe: SpanWatch['describe']) {
    this.#first.describe = describe
    this.#second.describe = describe
  }

  changed(): void {
    this.#first.changed()
    this.#second.changed()
  }
}
