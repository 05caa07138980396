/** The maximum size of a tool's answer, bytes of JSON. Assistants reject larger answers. */
export const MAX_ANSWER_BYTES = 75_000

/** The size of an answer without its data, bytes. */
const ENVELOPE_BYTES = 2_000

/**
 * Tracks the remaining size of an answer. The protocol requires the data twice: structured for programs, and as text
 * that escapes quotes and backslashes to two bytes.
 */
export class AnswerRoom {
  #left: number

  constructor(bytes = MAX_ANSWER_BYTES - ENVELOPE_BYTES) {
    this.#left = bytes
  }

  get left(): number {
    return this.#left
  }

  /** Reserves room for a value; returns false if it does not fit. */
  take(value: unknown): boolean {
    const cost = costOf(value)
    if (cost > this.#left) return false
    this.#left -= cost
    return true
  }

  /** Returns as many of the first items as fit into a share of the remaining room. */
  fill<T>(items: readonly T[], share = 1): T[] {
    const room = new AnswerRoom(this.#left * share)
    const before = room.left
    const more = items.findIndex((item) => !room.take(item))
    this.#left -= before - room.left
    return items.slice(0, more < 0 ? items.length : more)
  }
}

/** Returns the size of a value in an answer, with its comma, bytes. */
export function costOf(value: unknown): number {
  const json = JSON.stringify(value) ?? 'null'
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) + 2
}

const ELLIPSIS = '…'

/** Cuts a text to a size in an answer, bytes. A text that is cut ends with …. */
export function brief(text: string, bytes: number): string {
  if (text.length * 2 <= bytes && costOf(text) <= bytes) return text
  return beginning(text, bytes - costOf(ELLIPSIS)) + ELLIPSIS
}

/** Returns the longest beginning of a text that fits into a size in an answer, bytes. */
export function beginning(text: string, bytes: number): string {
  let [fits, tooLong] = [0, Math.min(text.length, bytes) + 1]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (costOf(wholeCharacters(text, middle)) <= bytes) fits = middle
    else tooLong = middle
  }
  return wholeCharacters(text, fits)
}

/**
 * Returns the first code units of a text without splitting a character. As JSON, half of a surrogate pair takes more
 * bytes than the whole pair.
 */
function wholeCharacters(text: string, length: number): string {
  const halved = (text.codePointAt(length - 1) ?? 0) > 0xff_ff
  return text.slice(0, halved ? length - 1 : length)
}
