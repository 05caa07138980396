/** What no answer of a tool exceeds, bytes of JSON: assistants take no more in at once. */
export const MAX_ANSWER_BYTES = 75_000

/** What the answer has around its data. */
const ENVELOPE_BYTES = 2_000

/**
 * The room of an answer. Its data stands there twice, as the protocol has it: as it is for programs, and as text for
 * assistants that read no other, in which quotes and backslashes take two bytes.
 */
export class AnswerRoom {
  #left: number

  constructor(bytes = MAX_ANSWER_BYTES - ENVELOPE_BYTES) {
    this.#left = bytes
  }

  get left(): number {
    return this.#left
  }

  /** Takes room for a value, if there is as much. */
  take(value: unknown): boolean {
    const cost = costOf(value)
    if (cost > this.#left) return false
    this.#left -= cost
    return true
  }

  /** As many of the first items as there is room for, in a share of what is left. */
  fill<T>(items: readonly T[], share = 1): T[] {
    const room = new AnswerRoom(this.#left * share)
    const before = room.left
    const more = items.findIndex((item) => !room.take(item))
    this.#left -= before - room.left
    return items.slice(0, more < 0 ? items.length : more)
  }
}

/** What a value takes in an answer, with a comma behind it. */
export function costOf(value: unknown): number {
  const json = JSON.stringify(value) ?? 'null'
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) + 2
}

const ELLIPSIS = '…'

/** The beginning of a text that takes no more than so many bytes of an answer; … stands for the rest. */
export function brief(text: string, bytes: number): string {
  if (text.length * 2 <= bytes && costOf(text) <= bytes) return text
  return beginning(text, bytes - costOf(ELLIPSIS)) + ELLIPSIS
}

/** The longest beginning of a text that takes no more than so many bytes of an answer. */
export function beginning(text: string, bytes: number): string {
  let [fits, tooLong] = [0, Math.min(text.length, bytes) + 1]
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1
    if (costOf(wholeCharacters(text, middle)) <= bytes) fits = middle
    else tooLong = middle
  }
  return wholeCharacters(text, fits)
}

/** The characters within the first so many code units: half of one takes more bytes as JSON than the whole. */
function wholeCharacters(text: string, length: number): string {
  const halved = (text.codePointAt(length - 1) ?? 0) > 0xff_ff
  return text.slice(0, halved ? length - 1 : length)
}
