/** Of a line: what its value is, and whether its key counts the items of a list. */
export const TEXT = 0
export const OTHER = 1
export const OBJECT = 2
export const LIST = 3
const KIND = 3
const INDEX = 4

/**
 * A value in lines, one a member of its objects and lists, or one a line of a text. All is in arrays of numbers and one
 * text, which go from a worker to the page without being copied item by item.
 */
export interface Lines {
  /** Of each line key, `: `, value and a line feed; of a line without a key the value and the line feed. */
  readonly text: string
  /** Where each line begins in the text; behind the last, its end. */
  readonly starts: Uint32Array
  /** Where the value of each begins. */
  readonly values: Uint32Array
  /** The line behind the last that is below each. */
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

/** The lines of a text: of the JSON in it, else of the text itself. */
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

/** Written without recursion: what is sent may be as deep as one likes. */
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

/** A line ends where the next begins that is no deeper. */
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

/** The lines right below a line. */
export function membersBelow({ ends }: Lines, line: number): number[] {
  const members: number[] = []
  for (let at = line + 1; at < (ends[line] ?? 0); at = ends[at] ?? at + 1) members.push(at)
  return members
}
