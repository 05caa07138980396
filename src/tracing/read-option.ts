import { toWellFormed } from '../semconv/index.js'

/** Reads one option; undefined if reading it throws. */
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

/** Reads an option as an attribute's text; undefined if it is not text, or empty. */
export function readText<Options extends object, Key extends keyof Options>(
  options: Options | undefined,
  key: Key,
): string | undefined {
  const value: unknown = readOption(options, key)
  return typeof value === 'string' && value !== '' ? toWellFormed(value) : undefined
}

/** Reads an option as a whole number; undefined if it is not one. */
export function readInteger<Options extends object, Key extends keyof Options>(
  options: Options | undefined,
  key: Key,
): number | undefined {
  const value: unknown = readOption(options, key)
  const number = typeof value === 'bigint' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}
