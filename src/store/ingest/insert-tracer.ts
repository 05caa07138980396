import { context, type Context } from '@opentelemetry/api'

import { inSharedSpan } from '../../base/own-spans.js'
import type { WriteRequest } from './frame.js'

/** Traces inserts below the spans of the requests that they store. */
export class InsertTracer {
  readonly #contexts = new WeakMap<WriteRequest, Context>()

  /** Stores the active context as that of a request. */
  remember(request: WriteRequest): void {
    this.#contexts.set(request, context.active())
  }

  /** Runs an insert of requests in a span. Rethrows the errors of the insert. */
  trace<Result>(name: string, requests: readonly WriteRequest[], insert: () => Promise<Result>): Promise<Result> {
    const spans = requests.reduce((sum, request) => sum + request.spans, 0)
    const attributes = { 'planspan.insert.requests': requests.length, 'planspan.insert.spans': spans }
    const contexts = requests.flatMap((request) => this.#contexts.get(request) ?? [])
    return inSharedSpan(name, attributes, contexts, insert)
  }
}
