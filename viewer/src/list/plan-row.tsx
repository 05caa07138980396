import type { ComponentChildren } from 'preact'
import { pagePath, type PlanJson } from 'planspan/client'

import { MarkBox } from '../compare/mark-box.js'
import { type Column, type ColumnName, COLUMNS, isShown } from './columns.js'
import { nameOf } from './plan-rows.js'
import { costText, countText, durationText, riskText, wholeCount } from '../model/quantity.js'
import { HIGH_RISK } from '../model/row.js'
import { isMoving } from '../model/words.js'
import { Headline } from '../parts/headline.js'
import { now } from '../parts/now.js'
import { StateMark } from '../parts/state-mark.js'
import { fullTime, shortTime } from '../parts/zone.js'
import { linkTo } from '../url/base.js'
import { go } from '../url/location.js'
import { StepBar } from './step-bar.js'

interface RowPlace {
  readonly index: number
  readonly top: number
  readonly height: number
}

interface PlanRowProps extends RowPlace {
  readonly plan: PlanJson
  readonly isCurrent: boolean
}

/** The row of a plan that is being loaded. */
export function UnreadRow({ index, top, height }: RowPlace) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      class="plan-row"
      style={{ transform: `translateY(${top}px)`, height: `${height}px` }}
    >
      <span role="cell" class="c-state muted">
        …
      </span>
    </div>
  )
}

/** The row of a plan. */
export function PlanRow({ plan, index, top, height, isCurrent }: PlanRowProps) {
  const { title, request, name, failures, risk, unsafeTaken, waitingSince, tokens, costUsd } = plan
  const start = Date.parse(plan.startTime)
  const heading = title ?? request ?? name ?? plan.planId
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      class={`plan-row${isCurrent ? ' current' : ''}`}
      onClick={(event) => openUnlessLink(event, plan)}
      style={{ transform: `translateY(${top}px)`, height: `${height}px` }}
    >
      <span role="cell" class="c-state">
        <MarkBox plan={plan} />
        <StateMark state={plan.state} />
      </span>
      <span role="cell" class="c-title">
        <a href={linkTo(pathOf(plan))} data-index={index}>
          {heading}
        </a>
      </span>
      <Cell name="steps">
        {plan.stepCount > 0 && <StepBar plan={plan} />}
        {plan.state !== 'completed' && plan.currentStep !== null && (
          <span class="current-step muted" title={plan.currentStep}>
            {plan.currentStep}
          </span>
        )}
      </Cell>
      <Cell name="failures" title={failuresTitle(plan)}>
        {failures > 0 && (
          <a class="failures" href={linkTo(pathOf(plan, 'errors'))}>
            ✕ {countText(failures)}
          </a>
        )}
      </Cell>
      <Cell name="risk">
        {unsafeTaken > 0 && <TakenMark plan={plan} />}
        {risk !== null && <RiskBar risk={risk} />}
      </Cell>
      <Cell name="tokens" title={`${wholeCount(tokens)} tokens`}>
        {tokens > 0 ? countText(tokens) : ''}
      </Cell>
      <Cell name="cost">{costUsd === null ? '' : costText(costUsd)}</Cell>
      <Cell name="duration">
        {durationText(
          plan.live && isMoving(plan.state) ? Math.max(plan.durationMs, now.value - start) : plan.durationMs,
        )}
      </Cell>
      <Cell name="start" title={fullTime(start)}>
        {shortTime(start)}
      </Cell>
      <Cell name="wait">
        {waitingSince !== null && (
          <span class="state" data-state="waiting" title={`Since ${fullTime(Date.parse(waitingSince))}`}>
            {durationText(Math.max(0, now.value - Date.parse(waitingSince)))}
          </span>
        )}
      </Cell>
      <Cell name="headline">
        {plan.headline.length > 0 ? (
          <Headline plan={plan} />
        ) : (
          title !== null && request !== title && <span class="muted">{request}</span>
        )}
      </Cell>
      <Cell name="workflow" title={name ?? plan.dialect ?? ''}>
        {name ?? plan.dialect}
      </Cell>
    </div>
  )
}

/** Opens a plan whose row was clicked beside a link: cells with a tooltip lie above the link of the row. */
function openUnlessLink({ target, ctrlKey, metaKey }: MouseEvent, plan: PlanJson): void {
  if (!(target instanceof Element) || target.closest('a, button, label, input')) return
  if (ctrlKey || metaKey) window.open(linkTo(pathOf(plan)))
  else {
    target.closest('[role=row]')?.querySelector<HTMLElement>('a[data-index]')?.focus({ preventScroll: true })
    go(pathOf(plan))
  }
}

/** The number of failures, and of the spans that failed because of them. */
function failuresTitle({ failures, errors }: PlanJson): string {
  if (failures === 0) return ''
  const others = errors - failures
  return `${failures} ${failures === 1 ? 'failure' : 'failures'}${others > 0 ? `; ${others} more spans failed with it` : ''}`
}

/** The mark for unsafe actions that were taken nevertheless. It leads to them. */
function TakenMark({ plan }: { readonly plan: PlanJson }) {
  const { unsafeTaken } = plan
  const text = `${unsafeTaken} unsafe ${unsafeTaken === 1 ? 'action was' : 'actions were'} taken nevertheless`
  return (
    <a class="taken" href={linkTo(pathOf(plan, 'risky'))} aria-label={text} title={text}>
      ▲
    </a>
  )
}

interface CellProps {
  readonly name: ColumnName
  readonly title?: string
  readonly children: ComponentChildren
}

const NUMBERS: ReadonlySet<string> = new Set(
  COLUMNS.filter((column: Column) => column.isNumber).map(({ name }) => name),
)
const MUTED: ReadonlySet<string> = new Set(['start', 'workflow'])

/** A cell, if the reader shows its column. */
function Cell({ name, title, children }: CellProps) {
  if (!isShown.value.has(name)) return null
  const looks = `c-${name}${NUMBERS.has(name) ? ' number' : ''}${MUTED.has(name) ? ' muted' : ''}`
  return (
    <span role="cell" class={looks} title={title}>
      {children}
    </span>
  )
}

/** The path of a plan's page. */
export const pathOf = (plan: PlanJson, only?: 'errors' | 'risky'): string =>
  pagePath(nameOf(plan), only === undefined ? {} : { view: 'tree', only })

/** The highest risk, as a number and as a bar. */
export function RiskBar({ risk }: { readonly risk: number }) {
  const level = risk >= HIGH_RISK ? 'high' : risk >= 0.4 ? 'middle' : 'low'
  return (
    <span class="risk" data-level={level} title={`Highest risk ${riskText(risk)}`}>
      <span class="risk-bar" aria-hidden="true">
        <span style={{ width: `${Math.min(1, Math.max(0, risk)) * 100}%` }} />
      </span>
      {riskText(risk)}
    </span>
  )
}
