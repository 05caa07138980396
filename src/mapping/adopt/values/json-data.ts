import { type Data, isData, isList, parseJson } from '../../../semconv/index.js'

/** Whether a text is that of an empty value, in JSON or in another language. */
export const isEmpty = (text: string): boolean => EMPTY.test(text.trim())

const EMPTY = /^(?:\[\s*\]|\{\s*\}|\(\s*\)|null|None|undefined)?$/

/** Parses a JSON object or list. Undefined for malformed text, and for a bare number, word or string. */
export function dataIn(text: string | undefined): Data | readonly unknown[] | undefined {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined
  const value = parseJson(text)
  return isData(value) || isList(value) ? value : undefined
}

/** Parses a JSON object. */
export const objectIn = (text: string | undefined): Data | undefined => {
  const data = dataIn(text)
  return isData(data) ? data : undefined
}

/** Returns a value as text: text unchanged, anything else as JSON. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

/** Removes the quotes of a text that was written as JSON. */
export function unquoted<Text extends string | undefined>(text: Text): Text | string {
  if (text === undefined || !/^".*"$/s.test(text)) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}
