import { context, type Context } from '@opentelemetry/api'
import { countDrop, warnOnce } from './drops.js'
import type { LiveSpan } from './live-span.js'

/**
 * Starts a span, runs a function with it active, and ends it when the function, or the promise it returns, is done. An
 * error of the function is recorded on the span and rethrown. JavaScript callers may omit the options and the function.
 */
export function runInSpan<O, S extends LiveSpan, T>(
  start: (options?: O) => S,
  options: O | ((span: S) => T),
  fn?: (span: S) => T,
): T {
  if (!isFunction<S, T>(fn) && isFunction<S, T>(options)) return runWith(start(), options)
  const span = start(options as O)
  if (isFunction<S, T>(fn)) return runWith(span, fn)
  warnOnce('no function', () => 'planspan: a span has no function to run; pass one, or use the start… method')
  span.end()
  return undefined as T
}

const isFunction = <S, T>(value: unknown): value is (span: S) => T => typeof value === 'function'

function runWith<S extends LiveSpan, T>(span: S, fn: (span: S) => T): T {
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
