const MAX_DEPTH = 1_000

/**
 * Parses JSON. Undefined for malformed text, and for data nested deeper than 1,000 levels, which the engine can parse
 * but not walk or write.
 */
export function parseJson(text: string): unknown {
  if (text.length > MAX_DEPTH && nestsTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{`, as well as `]` and `}`, differ only in the bit 0x20. */
const OPEN = 0x5b
const CLOSE = 0x5d

function nestsTooDeep(text: string): boolean {
  let depth = 0
  let isInText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInText) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInText = false
    } else if (code === QUOTE) isInText = true
    else if ((code & ~0x20) === OPEN) {
      if (++depth > MAX_DEPTH) return true
    } else if ((code & ~0x20) === CLOSE) depth--
  }
  return false
}
