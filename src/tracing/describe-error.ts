import { toWellFormed } from '../mapping/codec.js'
import { UNTYPED_ERROR } from '../semconv/index.js'
import { jsonText } from './json-text.js'

/** A thrown value as the conventions want it. */
export interface ErrorDescription {
  /** The class of the error; `_OTHER` for a thrown value that is no error. */
  readonly type: string
  readonly message: string | undefined
  readonly stacktrace: string | undefined
}

/** Describes whatever was thrown. Never throws. */
export function describeError(error: unknown): ErrorDescription {
  if (typeof error !== 'object' || error === null) {
    const message = typeof error === 'string' ? error : jsonText(error).text
    return {
      type: UNTYPED_ERROR,
      message: message === undefined ? undefined : toWellFormed(message),
      stacktrace: undefined,
    }
  }
  return {
    type: textOf(error, 'name') ?? UNTYPED_ERROR,
    message: textOf(error, 'message'),
    stacktrace: textOf(error, 'stack'),
  }
}

function textOf(error: object, key: 'name' | 'message' | 'stack'): string | undefined {
  try {
    const value = (error as Record<string, unknown>)[key]
    return typeof value === 'string' && value !== '' ? toWellFormed(value) : undefined
  } catch {
    return undefined
  }
}
