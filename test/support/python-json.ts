/** A Python float, which json writes with a decimal point or an exponent. */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** The repr() of a float, from its shortest digits. */
function repr(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const [digits = '', power = '0'] = value.toExponential().split('e')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  }
  if (Object.is(value, -0)) return '-0.0'
  // toFixed rounds a value halfway between two shortest texts up, but Python picks the even digit.
  const text = String(value)
  return text.includes('.') ? text : `${text}.0`
}

/** json.dumps(value, ensure_ascii=ascii) and, with an indent, json.dumps(value, indent=2, ensure_ascii=ascii). */
export function pythonJson(value: unknown, { indent = false, ascii = false } = {}, depth = 0): string {
  if (value instanceof Float) return repr(value.value)
  if (typeof value === 'string') {
    const text = JSON.stringify(value)
    return ascii
      ? text.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      : text
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isArray = Array.isArray(value)
  const entries = Object.entries(value as object).filter(([, item]) => item !== undefined)
  const parts = entries.map(([key, item]) => {
    const text = pythonJson(item, { indent, ascii }, depth + 1)
    return isArray ? text : `${pythonJson(key, { ascii })}: ${text}`
  })
  const [open, close] = isArray ? '[]' : '{}'
  if (parts.length === 0) return `${open}${close}`
  if (!indent) return `${open}${parts.join(', ')}${close}`
  const line = `\n${'  '.repeat(depth + 1)}`
  return `${open}${line}${parts.join(`,${line}`)}\n${'  '.repeat(depth)}${close}`
}
