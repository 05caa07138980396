import type { Attributes } from '@opentelemetry/api'

/** The interface through which the live API notifies a processor of changes to an open span. */
export interface SpanWatch {
  /** The attributes that a span has only while it is open, or that are set only at its end. */
  describe: (() => Attributes) | undefined
  /** Called when the span has changed. */
  changed(): void
}

// Stored on the SDK's own span, which processors and the tracer's caller share. A WeakMap costs several times as much.
const WATCH = Symbol('planspan watch')

interface WatchedSpan {
  [WATCH]?: SpanWatch
}

/** The watch of a span; undefined if no processor watches it. */
export const watchOf = (span: object): SpanWatch | undefined => (span as WatchedSpan)[WATCH]

/** Watches a span from its start, along with any other watchers. */
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
