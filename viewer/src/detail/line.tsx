import { useState } from 'preact/hooks'

import {
  hasKey,
  isBranch,
  isIndex,
  keyOf,
  kindOf,
  type Lines,
  LIST,
  membersBelow,
  OBJECT,
  TEXT,
  valueOf,
} from '../model/lines.js'
import { countText, wholeCount } from '../model/quantity.js'
import type { Hit } from '../model/shown-lines.js'
import { Icon } from '../parts/icon.js'
import { Marked } from '../parts/marked.js'

const INDENT = 14
/** The largest indentation level, so that values keep enough room. */
const DEEPEST = 20
/** The number of characters of a text shown at first, and added with each click. */
const PIECE = 2_000
const NEXT_PIECE = 20_000

interface LineProps {
  readonly lines: Lines
  readonly line: number
  readonly isOpen: boolean
  /** The text to highlight, in lower case. */
  readonly sought: string
  /** The current hit, if it is in this line. */
  readonly hit: Hit | undefined
  readonly toggle: (line: number) => void
}

/** A member of an object or a list, or a line of a text. */
export function Line({ lines, line, isOpen, sought, hit, toggle }: LineProps) {
  const depth = Math.min(lines.depths[line] ?? 0, DEEPEST)
  const name = keyOf(lines, line)
  const isKeyed = hasKey(lines, line)
  const offset = (lines.values[line] ?? 0) - (lines.starts[line] ?? 0)
  const key = isKeyed && (
    <span class={isIndex(lines, line) ? 'json-index' : 'json-key'}>
      <Marked text={name} sought={sought} current={hit?.at} />
    </span>
  )
  const style = { paddingLeft: `${depth * INDENT + (isKeyed ? INDENT : 0)}px` }
  if (!isBranch(lines, line)) {
    return (
      <li style={style}>
        {key}{' '}
        <Leaf lines={lines} line={line} sought={sought} at={hit && hit.at >= offset ? hit.at - offset : undefined} />
      </li>
    )
  }
  const members = membersBelow(lines, line)
  return (
    <li style={{ paddingLeft: `${depth * INDENT}px` }}>
      <button
        type="button"
        class={`json-fold${isOpen ? ' open' : ''}`}
        aria-expanded={isOpen}
        aria-label={`${name}, ${wholeCount(members.length)} members`}
        onClick={() => toggle(line)}
      >
        <Icon name="chevron" />
        {key}
        {!isOpen && (
          <span class="muted">
            {kindOf(lines, line) === LIST ? `[ ${countText(members.length)} ]` : `{ ${shortKeys(lines, members)} }`}
          </span>
        )}
      </button>
    </li>
  )
}

function shortKeys(lines: Lines, members: readonly number[]): string {
  const keys = members
    .slice(0, 3)
    .map((member) => keyOf(lines, member).slice(0, 24))
    .join(', ')
  return members.length > 3 ? `${keys}, …` : keys
}

interface LeafProps extends Pick<LineProps, 'lines' | 'line' | 'sought'> {
  /** The offset of the current hit. */
  readonly at: number | undefined
}

/** A value; of a long text the part around the hit, else its beginning. */
function Leaf({ lines, line, sought, at }: LeafProps) {
  const [length, show] = useState(PIECE)
  const kind = kindOf(lines, line)
  if (kind !== TEXT) {
    const isHolder = kind === OBJECT || kind === LIST
    return (
      <span class={isHolder ? 'muted' : 'json-value'}>
        {isHolder ? kind === LIST ? '[]' : '{}' : <Marked text={valueOf(lines, line)} sought={sought} current={at} />}
      </span>
    )
  }
  const begin = lines.values[line] ?? 0
  const whole = (lines.starts[line + 1] ?? 1) - 1 - begin
  const from = at === undefined || at < length ? 0 : Math.max(0, at - PIECE / 2)
  const to = Math.min(whole, from + length)
  return (
    <>
      {from > 0 && <span class="muted">… </span>}
      <span class="json-text">
        <Marked
          text={lines.text.slice(begin + from, begin + to)}
          sought={sought}
          current={at === undefined ? undefined : at - from}
        />
      </span>
      {to < whole && (
        <button type="button" class="more" onClick={() => show(length + NEXT_PIECE)}>
          {wholeCount(whole - to)} characters more
        </button>
      )}
    </>
  )
}
