import { type Data, isData, isList, parseJson } from '../../semconv/index.js'

/** The data of a JSON text; undefined for text that is none, and for a bare number, word or string. */
export function dataIn(text: string | undefined): Data | readonly unknown[] | undefined {
  if (text === undefined || !/^\s*[[{]/.test(text)) return undefined
  const value = parseJson(text)
  return isData(value) || isList(value) ? value : undefined
}

/** The object of a JSON text. */
export const objectIn = (text: string | undefined): Data | undefined => {
  const data = dataIn(text)
  return isData(data) ? data : undefined
}

/** A value as text: text as it is, all else as JSON. */
export const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : typeof value === 'string' ? value : JSON.stringify(value)

/** A text that was written as JSON, without its quotes. */
export function unquoted<Text extends string | undefined>(text: Text): Text | string {
  if (text === undefined || !/^".*"$/s.test(text)) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}
