import { context, type Context } from '@opentelemetry/api'
import { countDrop } from './drops.js'
import type { LiveSpan } from './live-span.js'

/**
 * Runs a function with a span active and ends the span when the function, or the promise it returns, is done. An error
 * is recorded on the span and rethrown.
 */
export function runInSpan<S extends LiveSpan, T>(span: S, fn: (span: S) => T): T {
  let result: T
  try {
    result = activate(span.context, fn, span)
  } catch (error) {
    span.fail(error)
    throw error
  }
  if (isThenable(result)) {
    return result.then(
      (value: Awaited<T>) => {
        span.returned(value)
        return value
      },
      (error: unknown) => {
        span.fail(error)
        throw error
      },
    ) as T
  }
  span.returned(result)
  return result
}

function activate<S extends LiveSpan, T>(active: Context, fn: (span: S) => T, span: S): T {
  let entered = false
  try {
    return context.with(active, () => {
      entered = true
      return withPromise(fn(span))
    })
  } catch (error) {
    if (entered) throw error
    countDrop('tracer', 'an active context')
    return withPromise(fn(span))
  }
}

/** Wraps a foreign thenable in a promise: query builders start their work in `then`, which may return nothing. */
const withPromise = <T>(value: T): T =>
  isThenable(value) && !(value instanceof Promise) ? (Promise.resolve(value) as T) : value

function isThenable(value: unknown): value is PromiseLike<never> {
  try {
    return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
  } catch {
    return false
  }
}
