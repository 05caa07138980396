import type { Attributes, HrTime } from '@opentelemetry/api'
import type { SpanLike } from '../sdk-types.js'
import { snapshotOf } from './snapshot.js'
import type { SpanWatch } from './span-watch.js'

/** A span that has started and not ended. */
export class OpenSpan {
  readonly parent: OpenSpan | undefined
  /** The outermost open span above it in this process, or itself. */
  readonly root: OpenSpan
  /** What is open below a root. */
  readonly below = new Set<OpenSpan>()
  readonly #span: SpanLike
  readonly #watch: SpanWatch
  /** Whether it is shown: a span of another instrumentation only when one that is shown hangs below it. */
  isShown = false
  /** Whether it has more to show than its last snapshot. */
  hasNews = false
  /** When it may be shown again, in milliseconds of performance.now(). */
  restsUntil = 0
  #snapshots = 0

  constructor(span: SpanLike, watch: SpanWatch, parent: OpenSpan | undefined) {
    this.#span = span
    this.#watch = watch
    this.parent = parent
    this.root = parent?.root ?? this
    if (parent) this.root.below.add(this)
  }

  get spanId(): string {
    return this.#span.spanContext().spanId
  }

  snapshot(time: HrTime): SpanLike {
    this.hasNews = false
    return snapshotOf(this.#span, { seq: this.#snapshots++, time, attributes: this.#described() })
  }

  #described(): Attributes | undefined {
    return this.#watch.describe?.()
  }
}
