import type { LiveSpan } from './live-span.js'

/** The plans of this process that have not ended. */
const openPlans = new Set<OpenSpans>()

/** The spans of an outermost plan, its sub-plans' included, that have not ended. */
export class OpenSpans {
  readonly #spans = new Set<LiveSpan>()
  #outermost: LiveSpan | undefined

  started(span: LiveSpan): void {
    if (!this.#outermost) {
      this.#outermost = span
      openPlans.add(this)
    }
    this.#spans.add(span)
  }

  ended(span: LiveSpan): void {
    this.#spans.delete(span)
    // Spans that were never ended go with their plan.
    if (span === this.#outermost) openPlans.delete(this)
  }

  /** Ends all of them, the innermost first. */
  interrupt(): void {
    for (const span of [...this.#spans].toReversed()) span.interrupt()
  }
}

/** Ends what is open of all plans as interrupted, for a process that is about to be ended by a signal. */
export function interruptOpenPlans(): void {
  for (const plan of openPlans) plan.interrupt()
}
