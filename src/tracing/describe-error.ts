import { toWellFormed, UNTYPED_ERROR } from '../semconv/index.js'
import { jsonText } from './json-text.js'
import { readOption } from './read-option.js'

/** A thrown value as the semantic conventions describe it. */
export interface ErrorDescription {
  /** The class of the error; `_OTHER` for a thrown value that is not an error. */
  readonly type: string
  /** The error's message; for a thrown value that is not an error, its JSON. */
  readonly message: string | undefined
  /** The stack trace, including those of its causes. */
  readonly stacktrace: string | undefined
}

/** Describes any thrown value. Never throws. */
export function describeError(error: unknown): ErrorDescription {
  const thrown = error as ErrorLike | undefined
  const name = readOption(thrown, 'name')
  const message = readOption(thrown, 'message')
  const stacktrace = stacktraceOf(thrown)
  if (name === undefined && message === undefined && stacktrace === undefined) {
    const text = typeof error === 'string' ? error : jsonText(error).text
    return { type: UNTYPED_ERROR, message: text === undefined ? undefined : toWellFormed(text), stacktrace: undefined }
  }
  return { type: nonEmptyText(name) ?? UNTYPED_ERROR, message: nonEmptyText(message), stacktrace }
}

const MAX_CAUSES = 8

/** Joins the stack traces of an error and its causes, as Java does: a fetch error explains itself only in its cause. */
function stacktraceOf(error: ErrorLike | undefined): string | undefined {
  const stacks: string[] = []
  for (let at = error; stacks.length <= MAX_CAUSES; at = readOption(at, 'cause') as ErrorLike | undefined) {
    const stack = nonEmptyText(readOption(at, 'stack'))
    if (stack === undefined) break
    stacks.push(stack)
  }
  return stacks.length > 0 ? stacks.join('\nCaused by: ') : undefined
}

/** The properties that an error may have; reading any of them may throw. */
interface ErrorLike {
  readonly name?: unknown
  readonly message?: unknown
  readonly stack?: unknown
  readonly cause?: unknown
}

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? toWellFormed(value) : undefined
