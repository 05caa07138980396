import type { Attributes, HrTime } from '@opentelemetry/api'
import type { SpanLike } from '../sdk-types.js'
import { snapshotOf } from './snapshot.js'
import type { SpanWatch } from './span-watch.js'

export interface OpenSpanStart {
  readonly span: SpanLike
  readonly spanId: string
  readonly parent: OpenSpan | undefined
  /** The earliest time of its first snapshot, in milliseconds of performance.now(). */
  readonly restsUntil: number
  /** Called when a shown span has changed since its last snapshot. */
  readonly onNews: (open: OpenSpan) => void
}

/** A span that has started but not ended. */
export class OpenSpan implements SpanWatch {
  readonly spanId: string
  readonly parent: OpenSpan | undefined
  /** The outermost open span above it in this process, or itself. */
  readonly root: OpenSpan
  describe: (() => Attributes) | undefined
  /** The earliest time of its next snapshot, in milliseconds of performance.now(). */
  restsUntil: number
  readonly #span: SpanLike
  readonly #onNews: (open: OpenSpan) => void
  #below: Set<OpenSpan> | undefined
  #isShown = false
  #hasNews = false
  #isOver = false
  #snapshots = 0

  constructor({ span, spanId, parent, restsUntil, onNews }: OpenSpanStart) {
    this.#span = span
    this.#onNews = onNews
    this.spanId = spanId
    this.parent = parent
    this.restsUntil = restsUntil
    this.root = parent?.root ?? this
    if (parent) (this.root.#below ??= new Set()).add(this)
  }

  /** Records that the span has changed since its last snapshot. */
  changed(): void {
    if (this.#hasNews || !this.#isShown || this.#isOver) return
    this.#hasNews = true
    this.#onNews(this)
  }

  /**
   * Shows this span and all spans above it, including other instrumentation's, so that its place in the tree is
   * visible.
   */
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

  /**
   * Removes the span; for an outermost span, returns its descendants that were never ended, which are dropped with it.
   */
  end(): Iterable<OpenSpan> {
    this.#isOver = true
    this.root.#below?.delete(this)
    const left = [...(this.#below ?? [])]
    for (const open of left) open.#isOver = true
    return left
  }
}
