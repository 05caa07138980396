/** A JSON object. */
export type Data = Readonly<Record<string, unknown>>

export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

export const isData = (value: unknown): value is Data => typeof value === 'object' && value !== null && !isList(value)

/** Returns a member of an object if it is text. */
export function textIn(data: Data, key: string): string | undefined {
  const value = data[key]
  return typeof value === 'string' ? value : undefined
}
