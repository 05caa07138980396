const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const OTHER = 64

/** The value of each character in base64, in both of its alphabets. */
const VALUES = new Uint8Array(128).fill(OTHER)
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value
VALUES['-'.charCodeAt(0)] = 62
VALUES['_'.charCodeAt(0)] = 63

const PRINTABLE = /^[\t\n\r\x20-\x7e]+$/
const RUN = /[A-Za-z\d+/_-]{24,1000000}={0,2}/y
/** Base64 of 18 bytes. */
const SHORTEST = 24

/** Calls `accept` with each part of a word that is base64 of a text, and that text, until it returns true. */
export function eachEncoded(
  text: string,
  start: number,
  end: number,
  accept: (from: number, to: number, decoded: string) => boolean,
): boolean {
  for (let at = start; at <= end - SHORTEST; at++) {
    if (at > start && valueAt(text, at - 1) < 63) continue
    if (!startsLikeText(text, at)) continue
    RUN.lastIndex = at
    const run = RUN.exec(text)?.[0]
    const decoded = run && decode(run)
    if (run && decoded && PRINTABLE.test(decoded) && accept(at, at + run.length, decoded)) return true
    at += run?.length ?? 0
  }
  return false
}

const valueAt = (text: string, at: number): number => VALUES[text.charCodeAt(at)] ?? OTHER

/** Whether base64 starts with 18 bytes below 128, whose highest bit is 0. Hashes, ids and images do not. */
function startsLikeText(text: string, from: number): boolean {
  for (let at = from; at < from + SHORTEST; at += 4) {
    const isText = valueAt(text, at) < 32 && (valueAt(text, at + 1) & 72) === 0 && (valueAt(text, at + 2) & 66) === 0
    if (!isText) return false
  }
  return true
}

function decode(base64: string): string | undefined {
  try {
    return atob(base64.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}
