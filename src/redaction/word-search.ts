/** Calls `accept` with each found word's index and end, in the order of the ends, until it returns true. */
type WordSearch = (text: string, accept: (word: number, end: number) => boolean) => boolean

const CHARACTERS = 0x1_0000

/** Searches for many words at once, given in lower case, reading each character once: the Aho-Corasick automaton. */
export function wordSearch(words: readonly string[]): WordSearch {
  const characters = [...new Set(words.join(''))]
  const classes = classesOf(characters)
  const { rows, endings } = automaton(words, classes, characters.length + 1)
  return (text, accept) => {
    let row = 0
    for (let at = 0; at < text.length; at++) {
      row = rows[row + (classes[text.charCodeAt(at)] as number)] as number
      if (row >= 0) continue
      row = ~row
      for (const word of endings.get(row) ?? []) if (accept(word, at + 1)) return true
    }
    return false
  }
}

/** A small number for each of the characters, the same for both cases of a letter; 0 for all others. */
function classesOf(characters: readonly string[]): Uint8Array {
  const classes = new Uint8Array(CHARACTERS)
  for (const [at, character] of characters.entries()) {
    classes[character.charCodeAt(0)] = at + 1
    if (/[a-z]/.test(character)) classes[character.toUpperCase().charCodeAt(0)] = at + 1
  }
  return classes
}

interface Automaton {
  /**
   * The states as rows: for each character class, the start of the next state's row, or its complement at the end of a
   * word. The first row is the initial state.
   */
  readonly rows: Int32Array
  /** The words that end in a state, the longest first. */
  readonly endings: ReadonlyMap<number, readonly number[]>
}

function automaton(words: readonly string[], classes: Uint8Array, width: number): Automaton {
  const edges = words.map((word) => Array.from({ length: word.length }, (_, at) => classes[word.charCodeAt(at)] ?? 0))
  const rows = new Int32Array(width * (1 + edges.flat().length))
  const endings = new Map<number, number[]>()
  let free = width
  for (const [word, path] of edges.entries()) {
    let row = 0
    for (const edge of path) {
      if (rows[row + edge] === 0) rows[row + edge] = (free += width) - width
      row = rows[row + edge] ?? 0
    }
    endings.set(row, [word])
  }
  // If a word does not continue, its longest suffix that begins a word does. Nearer states come first.
  const suffixes = new Map([[0, 0]])
  for (const [row, suffix] of suffixes) {
    const all = [...(endings.get(row) ?? []), ...(endings.get(suffix) ?? [])]
    if (row !== 0 && all.length > 0) endings.set(row, all)
    for (let edge = 0; edge < width; edge++) {
      const next = rows[row + edge] ?? 0
      const other = row === 0 ? 0 : (rows[suffix + edge] ?? 0)
      if (next === 0) rows[row + edge] = other
      else suffixes.set(next, other)
    }
  }
  return { rows: rows.map((row) => (endings.has(row) ? ~row : row)), endings }
}
