import { context, type Context } from '@opentelemetry/api'

import { inSharedSpan } from '../../base/own-spans.js'
import type { WriteRequest } from './frame.js'

/** Has inserts told of below the requests that they are done for. */
export class InsertSpans {
  readonly #contexts = new WeakMap<WriteRequest, Context>()

  /** Notes who a request comes from: whoever asks now. */
  note(request: WriteRequest): void {
    this.#contexts.set(request, context.active())
  }

  /** Inserts requests. Throws what the insert throws. */
  tell<Result>(name: string, requests: readonly WriteRequest[], insert: () => Promise<Result>): Promise<Result> {
    const spans = requests.reduce((sum, request) => sum + request.spans, 0)
    const attributes = { 'planspan.insert.requests': requests.length, 'planspan.insert.spans': spans }
    const contexts = requests.flatMap((request) => this.#contexts.get(request) ?? [])
    return inSharedSpan(name, attributes, contexts, insert)
  }
}
