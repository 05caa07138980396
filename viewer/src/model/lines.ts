/** The flags of a line: the kind of its value, and whether its key is a list index. */
export const TEXT = 0
export const OTHER = 1
export const OBJECT = 2
export const LIST = 3
const KIND = 3
const INDEX = 4

/**
 * A value as lines, one per member of its objects and lists, or one per line of a text. It consists of typed arrays and
 * one text, so a worker can transfer it without copying each item.
 */
export interface Lines {
  /** For each line: key, `: `, value and a line feed; without a key only the value and the line feed. */
  readonly text: string
  /** The start of each line in the text, and the end of the last. */
  readonly starts: Uint32Array
  /** The start of each value. */
  readonly values: Uint32Array
  /** The line after the last descendant of each line. */
  readonly ends: Uint32Array
  readonly depths: Uint16Array
  readonly flags: Uint8Array
}

export const countOf = ({ depths }: Lines): number => depths.length
export const kindOf = ({ flags }: Lines, line: number): number => (flags[line] ?? 0) & KIND
export const isIndex = ({ flags }: Lines, line: number): boolean => ((flags[line] ?? 0) & INDEX) !== 0
export const isBranch = (lines: Lines, line: number): boolean => (lines.ends[line] ?? 0) > line + 1
export const hasKey = ({ starts, values }: Lines, line: number): boolean => starts[line] !== values[line]
export const keyOf = ({ text, starts, values }: Lines, line: number): string =>
  text.slice(starts[line], Math.max(starts[line] ?? 0, (values[line] ?? 0) - SEPARATOR.length))
export const valueOf = ({ text, starts, values }: Lines, line: number): string =>
  text.slice(values[line], (starts[line + 1] ?? 0) - 1)

const SEPARATOR = ': '

/** Returns the lines of the JSON in a text, else of the text itself. */
export function linesOf(text: string): Lines {
  const value = /^\s*[[{]/.test(text) ? parsed(text) : undefined
  return typeof value === 'object' && value !== null ? linesOfValue(value) : linesOfText(text)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

function linesOfText(text: string): Lines {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const count = starts.length
  starts.push(text.length + 1)
  return {
    text: `${text}\n`,
    starts: Uint32Array.from(starts),
    values: Uint32Array.from(starts.slice(0, count)),
    ends: Uint32Array.from({ length: count }, (_, line) => line + 1),
    depths: new Uint16Array(count),
    flags: new Uint8Array(count),
  }
}

interface Member {
  readonly key: string
  readonly value: unknown
  readonly depth: number
  readonly flag: number
}

/** Iterative, since the value may be nested to any depth. */
function linesOfValue(value: object): Lines {
  const pieces: string[] = []
  const starts = [0]
  const values: number[] = []
  const depths: number[] = []
  const flags: number[] = []
  const stack = membersOf(value, 0).toReversed()
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { key, value: one, depth, flag } = next
    const isHolder = typeof one === 'object' && one !== null
    const written = isHolder ? '' : String(one)
    pieces.push(`${key}${SEPARATOR}${written}\n`)
    values.push((starts.at(-1) ?? 0) + key.length + SEPARATOR.length)
    starts.push((values.at(-1) ?? 0) + written.length + 1)
    depths.push(depth)
    flags.push(flag | kindOfValue(one))
    if (isHolder) for (const member of membersOf(one, depth + 1).toReversed()) stack.push(member)
  }
  return {
    text: pieces.join(''),
    starts: Uint32Array.from(starts),
    values: Uint32Array.from(values),
    ends: endsOf(depths),
    depths: Uint16Array.from(depths),
    flags: Uint8Array.from(flags),
  }
}

const membersOf = (value: object, depth: number): Member[] =>
  Array.isArray(value)
    ? value.map((one: unknown, index) => ({ key: String(index), value: one, depth, flag: INDEX }))
    : Object.entries(value).map(([key, one]: [string, unknown]) => ({ key, value: one, depth, flag: 0 }))

function kindOfValue(value: unknown): number {
  if (typeof value === 'string') return TEXT
  if (typeof value !== 'object' || value === null) return OTHER
  return Array.isArray(value) ? LIST : OBJECT
}

/** A line's descendants end at the next line that is not deeper. */
function endsOf(depths: readonly number[]): Uint32Array {
  const ends = new Uint32Array(depths.length)
  const open: number[] = []
  for (const [line, depth] of depths.entries()) {
    for (let last = open.at(-1); last !== undefined && (depths[last] ?? 0) >= depth; last = open.at(-1)) {
      ends[last] = line
      open.pop()
    }
    open.push(line)
  }
  for (const line of open) ends[line] = depths.length
  return ends
}

/** Returns the children of a line. */
export function membersBelow({ ends }: Lines, line: number): number[] {
  const members: number[] = []
  for (let at = line + 1; at < (ends[line] ?? 0); at = ends[at] ?? at + 1) members.push(at)
  return members
}
