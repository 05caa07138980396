import type { Attributes } from '@opentelemetry/api'

/** Where the live API tells processors that an open span has more to show. */
export class SpanWatch {
  /** Attributes that an open span has and an ended one has not, or has only from its end on. */
  describe: (() => Attributes) | undefined
  readonly #listeners: (() => void)[] = []

  listen(listener: () => void): void {
    this.#listeners.push(listener)
  }

  changed(): void {
    for (const listener of this.#listeners) listener()
  }
}

// By the SDK's own span, which processors and the tracer's caller both hold.
const watches = new WeakMap<object, SpanWatch>()

/** The watch of a span; undefined when no processor watches it. */
export const watchOf = (span: object): SpanWatch | undefined => watches.get(span)

/** Watches a span that starts. */
export function watchSpan(span: object, listener: () => void): SpanWatch {
  let watch = watches.get(span)
  if (!watch) watches.set(span, (watch = new SpanWatch()))
  watch.listen(listener)
  return watch
}
