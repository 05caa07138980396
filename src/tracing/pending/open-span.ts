import type { Attributes, HrTime } from '@opentelemetry/api'
import type { SpanLike } from '../sdk-types.js'
import { snapshotOf } from './snapshot.js'
import type { SpanWatch } from './span-watch.js'

export interface OpenSpanStart {
  readonly span: SpanLike
  readonly spanId: string
  readonly parent: OpenSpan | undefined
  /** Is told when a span that is shown has news. */
  readonly onNews: (open: OpenSpan) => void
}

/** A span that has started and not ended. */
export class OpenSpan implements SpanWatch {
  readonly spanId: string
  readonly parent: OpenSpan | undefined
  /** The outermost open span above it in this process, or itself. */
  readonly root: OpenSpan
  describe: (() => Attributes) | undefined
  /** When it may be shown again, in milliseconds of performance.now(). */
  restsUntil = 0
  readonly #span: SpanLike
  readonly #onNews: (open: OpenSpan) => void
  #below: Set<OpenSpan> | undefined
  #isShown = false
  #hasNews = false
  #isOver = false
  #snapshots = 0

  constructor({ span, spanId, parent, onNews }: OpenSpanStart) {
    this.#span = span
    this.#onNews = onNews
    this.spanId = spanId
    this.parent = parent
    this.root = parent?.root ?? this
    if (parent) (this.root.#below ??= new Set()).add(this)
  }

  /** It has more to show than its last snapshot. */
  changed(): void {
    if (this.#hasNews || !this.#isShown || this.#isOver) return
    this.#hasNews = true
    this.#onNews(this)
  }

  /** Has it shown with all above it, other instrumentations' spans included, so that its place in the tree is seen. */
  show(): void {
    if (this.#isShown) return
    this.#isShown = true
    this.changed()
    this.parent?.show()
  }

  snapshot(time: HrTime): SpanLike {
    this.#hasNews = false
    return snapshotOf(this.#span, { seq: this.#snapshots++, time, attributes: this.describe?.() })
  }

  /** It has ended; answers what nobody ended below an outermost one, which goes with it. */
  end(): Iterable<OpenSpan> {
    this.#isOver = true
    this.root.#below?.delete(this)
    const left = [...(this.#below ?? [])]
    for (const open of left) open.#isOver = true
    return left
  }
}
