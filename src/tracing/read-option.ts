import { toWellFormed } from '../semconv/index.js'

/** One option of a user's; undefined when reading it throws. */
export function readOption<Options extends object, Key extends keyof Options>(
  options: Options | undefined,
  key: Key,
): Options[Key] | undefined {
  try {
    return options?.[key]
  } catch {
    return undefined
  }
}

/** The text of an option as an attribute carries it; undefined when it is none, or empty. */
export function readText<Options extends object, Key extends keyof Options>(
  options: Options | undefined,
  key: Key,
): string | undefined {
  const value: unknown = readOption(options, key)
  return typeof value === 'string' && value !== '' ? toWellFormed(value) : undefined
}

/** The whole number of an option; undefined when it is none. */
export function readInteger<Options extends object, Key extends keyof Options>(
  options: Options | undefined,
  key: Key,
): number | undefined {
  const value: unknown = readOption(options, key)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}
