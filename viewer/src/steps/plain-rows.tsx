import type { CourseRow } from '../model/course-rows.js'
import { wholeCount } from '../model/quantity.js'
import type { Node } from '../model/tree.js'
import { roleWord } from '../model/words.js'
import { StateSign } from '../parts/state-mark.js'
import { withParameters } from '../url/location.js'

type Change = Extract<CourseRow, { kind: 'change' }>['change']

const SIGNS: Readonly<Record<Change['kind'], string>> = { added: '+', dropped: '−', changed: '~', moved: '↕' }

/** A change of a step in a version of the plan. */
export function ChangeRow({ change: { kind, index, title, was } }: { readonly change: Change }) {
  const said = was === null ? title : `${was} → ${title}`
  return (
    <span class="change" data-change={kind} title={`${kind}: ${said}`}>
      <span class="change-sign" aria-hidden="true">
        {SIGNS[kind]}
      </span>
      <span class="spoken">{kind}: </span>
      <span class="step-number number muted">{index + 1}</span>
      {was !== null && <del>{was}</del>}
      {was !== null && <span aria-hidden="true">→</span>}
      {kind === 'dropped' ? <del>{title}</del> : <span class="change-text">{title}</span>}
    </span>
  )
}

export const MoreRow = ({ count }: { readonly count: number }) => <span class="muted">and {count} more changes</span>

/** A text of a mark. */
export function NoteRow({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      <span class="note-label muted">{label}</span>
      <span class="note-text" title={text}>
        {text}
      </span>
    </>
  )
}

/** The last failure of an agent, or what was cut off: a link to its span. */
export function FaultRow({
  node,
  count,
  depth,
}: {
  readonly node: Node
  readonly count: number
  readonly depth: number
}) {
  const { row } = node
  const name = row.name === roleWord(row.role) ? roleWord(row.role).toLowerCase() : row.name
  const isFailure = row.failure !== null
  const what = isFailure ? row.failure || 'failed without a message' : 'was interrupted and never ended'
  const text = what.startsWith(name) ? what : isFailure ? `${name}: ${what}` : `${name} ${what}`
  const state = isFailure ? 'failed' : 'interrupted'
  return (
    <a
      role="treeitem"
      aria-level={depth * 2 + 3}
      aria-selected={false}
      class="fault"
      data-state={state}
      href={withParameters({ span: row.id })}
      title={text}
    >
      <StateSign state={state} />
      <span class="fault-text">{text}</span>
      {count > 1 && <span class="number">{wholeCount(count)} failures</span>}
    </a>
  )
}

/** Leads to what is too deep for the steps. */
export const DeeperRow = ({ node }: { readonly node: Node }) => (
  <a role="treeitem" aria-selected={false} class="muted" href={withParameters({ view: 'tree', span: node.row.id })}>
    {wholeCount(node.spans)} deeper spans, in the tree
  </a>
)
