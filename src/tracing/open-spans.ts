import type { LiveSpan } from './live-span.js'

/** The plans of this process that have not ended. */
const openPlans = new Set<OpenSpans>()

/** The open spans of an outermost plan and its sub-plans. */
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
    // Spans that were never ended are forgotten with their plan.
    if (span === this.#outermost) openPlans.delete(this)
  }

  /** Ends all open spans as interrupted, the innermost first. */
  interrupt(): void {
    for (const span of [...this.#spans].toReversed()) span.interrupt()
  }
}

/** Ends all open plans as interrupted, when a signal is about to end the process. */
export function interruptOpenPlans(): void {
  for (const plan of openPlans) plan.interrupt()
}
