import { useState } from 'preact/hooks'

import { countText } from '../model/quantity.js'
import { Icon } from '../parts/icon.js'

/** So many members are shown at once. */
const PIECE = 100
const LONG_STRING = 2_000
/** Of what is open at first: no deeper, and no larger. */
const OPEN_DEPTH = 2
const OPEN_MEMBERS = 20

type Members = readonly (readonly [key: string, value: unknown])[]

const membersOf = (value: object): Members =>
  Array.isArray(value) ? value.map((item, index) => [String(index), item as unknown]) : Object.entries(value)

/** A value of JSON, folded where it is deep or large; what is folded is not drawn. */
export function JsonTree({ value }: { readonly value: object }) {
  return (
    <div class="json">
      <List members={membersOf(value)} depth={0} isArray={Array.isArray(value)} />
    </div>
  )
}

interface ListProps {
  readonly members: Members
  readonly depth: number
  readonly isArray: boolean
}

function List({ members, depth, isArray }: ListProps) {
  const [shown, show] = useState(PIECE)
  if (members.length === 0) return <span class="muted">{isArray ? '[]' : '{}'}</span>
  return (
    <ul>
      {members.slice(0, shown).map(([key, value]) => (
        <Member key={key} name={key} value={value} depth={depth} isIndex={isArray} />
      ))}
      {members.length > shown && (
        <li>
          <button type="button" class="more" onClick={() => show(shown + PIECE * 10)}>
            {members.length - shown} more
          </button>
        </li>
      )}
    </ul>
  )
}

interface MemberProps {
  readonly name: string
  readonly value: unknown
  readonly depth: number
  readonly isIndex: boolean
}

function Member({ name, value, depth, isIndex }: MemberProps) {
  const key = <span class={isIndex ? 'json-index' : 'json-key'}>{name}</span>
  if (typeof value !== 'object' || value === null) {
    return (
      <li>
        {key} <Leaf value={value} />
      </li>
    )
  }
  return <Branch label={key} name={name} value={value} depth={depth} />
}

interface BranchProps extends Pick<MemberProps, 'name' | 'depth'> {
  readonly label: preact.JSX.Element
  readonly value: object
}

function Branch({ label, name, value, depth }: BranchProps) {
  const members = membersOf(value)
  const isArray = Array.isArray(value)
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && members.length <= OPEN_MEMBERS)
  if (members.length === 0) {
    return (
      <li>
        {label} <span class="muted">{isArray ? '[]' : '{}'}</span>
      </li>
    )
  }
  return (
    <li>
      <button
        type="button"
        class={`json-fold${isOpen ? ' open' : ''}`}
        aria-expanded={isOpen}
        aria-label={`${name}, ${members.length} members`}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="chevron" />
        {label}
        {!isOpen && (
          <span class="muted">{isArray ? `[ ${countText(members.length)} ]` : `{ ${shortKeys(members)} }`}</span>
        )}
      </button>
      {isOpen && <List members={members} depth={depth + 1} isArray={isArray} />}
    </li>
  )
}

function shortKeys(members: Members): string {
  const keys = members
    .slice(0, 3)
    .map(([key]) => key.slice(0, 24))
    .join(', ')
  return members.length > 3 ? `${keys}, …` : keys
}

function Leaf({ value }: { readonly value: unknown }) {
  const [isWhole, showWhole] = useState(false)
  if (typeof value !== 'string') return <span class="json-value">{String(value)}</span>
  if (value.length <= LONG_STRING || isWhole) return <span class="json-text">{value}</span>
  return (
    <>
      <span class="json-text">{value.slice(0, LONG_STRING)}</span>
      <button type="button" class="more" onClick={() => showWhole(true)}>
        {countText(value.length - LONG_STRING)} characters more
      </button>
    </>
  )
}
