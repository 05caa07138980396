const INTEGER = /^[+-]?\d+$/
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n }
const UINT64 = { min: 0n, max: 2n ** 64n - 1n }

/** Parses decimal text as an int64 or a uint64, as Go's ParseInt and ParseUint do; undefined where they fail. */
export function parseInteger(text: string, type: 'int64' | 'uint64'): bigint | undefined {
  if (!INTEGER.test(text) || (type === 'uint64' && !/^\d/.test(text))) return undefined
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  const { min, max } = type === 'int64' ? INT64 : UINT64
  return value >= min && value <= max ? value : undefined
}

/** Parses decimal text, `NaN` or an infinity as a double; undefined if it is not a number or too large. */
export function parseDouble(text: string): number | undefined {
  if (DECIMAL.test(text)) {
    const value = Number(text)
    return Number.isFinite(value) ? value : undefined
  }
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? []
  if (word === undefined) return undefined
  if (word.toLowerCase() === 'nan') return sign === '' ? Number.NaN : undefined
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** Whether text is padded standard base64, as Go's StdEncoding accepts it: line breaks are ignored. */
export const isBase64 = (text: string): boolean => {
  const plain = text.replace(/[\r\n]/g, '')
  return plain.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(plain)
}
