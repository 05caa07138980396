import type { ComponentChildren } from 'preact'

import type { Mark, Review, Wait } from '../model/course-marks.js'
import { spanOfMark } from '../model/course-rows.js'
import { durationText, wholeCount } from '../model/quantity.js'
import type { Role } from '../model/words.js'
import { Glyph } from '../parts/glyph.js'
import { fullTime, shortTime } from '../parts/zone.js'
import { lengthOf } from '../plan/length-of.js'
import type { PlanStore } from '../plan/plan-store.js'
import { isQuiet } from './row-height.js'

interface MarkRowProps {
  readonly store: PlanStore
  readonly mark: Mark
  readonly depth: number
  /** Its span, if that is visible nowhere else. */
  readonly id: string | undefined
  readonly isSelected: boolean
}

/** A version of the plan, a review or a wait, between the steps. */
export function MarkRow({ store, mark, depth, id, isSelected }: MarkRowProps) {
  const spanId = spanOfMark(mark)
  return (
    <span
      {...(id === undefined ? {} : { id: `span-${id}` })}
      role="treeitem"
      aria-level={depth * 2 + 1}
      aria-selected={isSelected}
      class="mark-line"
      onClick={() => spanId !== undefined && store.select(spanId)}
    >
      {mark.kind === 'version' ? (
        <VersionMark store={store} mark={mark} />
      ) : mark.kind === 'wait' ? (
        <WaitMark store={store} wait={mark.wait} review={mark.review} />
      ) : (
        <ReviewMark review={mark.review} />
      )}
    </span>
  )
}

interface LineProps {
  readonly role: Role
  readonly title: ComponentChildren
  readonly facts: readonly (ComponentChildren | null)[]
  readonly time?: number | undefined
  readonly took?: string | undefined
}

function Line({ role, title, facts, time, took }: LineProps) {
  const shown = facts.filter((fact) => fact !== false && fact !== null && fact !== undefined && fact !== '')
  return (
    <>
      <Glyph role={role} />
      <strong>{title}</strong>
      <span class="mark-facts">
        {shown.map((fact, index) => (
          <span key={index} class="muted">
            {index === 0 ? '' : ' · '}
            {fact}
          </span>
        ))}
      </span>
      {time !== undefined && (
        <span class="number muted" title={fullTime(time)}>
          {shortTime(time)}
        </span>
      )}
      <span class="s-duration number">{took}</span>
    </>
  )
}

interface VersionMarkProps {
  readonly store: PlanStore
  readonly mark: Extract<Mark, { kind: 'version' }>
}

function VersionMark({ store, mark }: VersionMarkProps) {
  const { number, version } = mark
  const { planner, steps, text, spanId, time } = version
  const row = store.tree.value.nodes.get(spanId)?.row
  const says = steps === null ? text === null && (row?.pending ? 'being made' : 'no steps') : countOf(steps, 'step')
  return (
    <Line
      role="planning"
      title={`Version ${number}`}
      facts={[isQuiet(mark) ? 'with the steps of the one before' : says, planner !== null && `by ${planner}`]}
      time={Date.parse(time)}
      took={row?.role === 'planning' ? durationText(lengthOf(store, row)) : undefined}
    />
  )
}

const countOf = (count: number, what: string): string => `${wholeCount(count)} ${what}${count === 1 ? '' : 's'}`

const DECISIONS: Readonly<Record<string, string>> = {
  ACCEPT_PLAN: 'Plan accepted',
  REQUEST_CHANGES: 'Changes wanted',
  ABORT: 'Plan given up',
}
const decisionOf = ({ action }: Review): string => DECISIONS[action ?? ''] ?? action ?? 'Reviewed'

function ReviewMark({ review }: { readonly review: Review }) {
  const { attempt, reviewer, time } = review
  return (
    <Line
      role="wait"
      title={decisionOf(review)}
      facts={[attempt !== null && `review ${attempt}`, reviewer !== null && `by ${reviewer}`]}
      time={time === null ? undefined : Date.parse(time)}
    />
  )
}

const REASONS: Readonly<Record<string, string>> = {
  form_input: 'for a person to fill in a form',
  plan_review: 'for a review of the plan',
  tool_approval: 'for approval of a tool call',
}

interface WaitMarkProps {
  readonly store: PlanStore
  readonly wait: Wait
  readonly review: Review | undefined
}

function WaitMark({ store, wait: { spanId, reason, title, resolution, actor }, review }: WaitMarkProps) {
  const row = store.tree.value.nodes.get(spanId)?.row
  const isWaiting = row?.state === 'waiting'
  const who = actor ?? review?.reviewer ?? null
  const waited = `${isWaiting ? 'Waits' : 'Waited'} ${REASONS[reason ?? ''] ?? 'for a person'}`
  return (
    <Line
      role="wait"
      title={review ? decisionOf(review) : isWaiting ? <span data-state="waiting">{waited}</span> : waited}
      facts={[
        !review && resolution,
        who !== null && `by ${who}`,
        title,
        !isWaiting && row?.state !== 'completed' && row?.state,
      ]}
      time={row?.start}
      took={row && durationText(lengthOf(store, row))}
    />
  )
}
