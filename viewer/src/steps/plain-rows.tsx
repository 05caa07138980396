import type { CourseRow } from '../model/course-rows.js'

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
