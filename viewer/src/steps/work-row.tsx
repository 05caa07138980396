import type { CourseRow, Work } from '../model/course-rows.js'
import { costText, countText, durationText, wholeCount } from '../model/quantity.js'
import { roleWord } from '../model/words.js'
import { Glyph } from '../parts/glyph.js'
import { StateSign } from '../parts/state-mark.js'
import { lengthOf } from '../plan/length-of.js'
import type { PlanStore } from '../plan/plan-store.js'
import { Marks } from '../plan/span-marks.js'
import { Ribbon } from './ribbon.js'

const INDENT = 16
/** The largest indentation level, so that names keep enough room; deeper rows have the number of their level. */
const DEEPEST = 4

interface WorkRowProps {
  readonly store: PlanStore
  readonly row: CourseRow & Work
  /** The title of the step that begins in this row. */
  readonly title: string
  /** The number of steps. */
  readonly steps: number
  /** The width of the ribbon, pixels. */
  readonly width: number
  readonly isSelected: boolean
  readonly cell: number | undefined
}

/** A step, and beside it an agent and its work. */
export function WorkRow({ store, row, title, steps, width, isSelected, cell }: WorkRowProps) {
  const { node, cells, depth, step } = row
  const indent = Math.min(depth, DEEPEST) * INDENT
  const line = { paddingLeft: `${indent}px` }
  return (
    <>
      <span class="w-step" role="none">
        {step && depth === 0 && <StepHead store={store} step={step} title={title} steps={steps} />}
        {row.aside !== undefined && <span class="aside muted">{row.aside}</span>}
      </span>
      {node ? (
        <>
          <Doer store={store} row={row} node={node} style={line} isSelected={isSelected} />
          {cells.length > 0 && <Ribbon store={store} cells={cells} width={width} level={depth * 2 + 3} at={cell} />}
          <span class="s-marks" role="none">
            <Marks node={node} isOpen={false} />
          </span>
          <span class="w-count number muted" role="none">
            {cells.length > 0 && countText(cells.length)}
          </span>
          <span class="s-cost number muted" role="none" title={tokensText(node)}>
            {node.costUsd !== null && costText(node.costUsd)}
          </span>
          <span class="s-duration number" role="none">
            {durationText(lengthOf(store, node.row))}
          </span>
        </>
      ) : (
        step && <Idle step={step} name={row.name} style={line} />
      )}
    </>
  )
}

interface StepHeadProps extends Pick<WorkRowProps, 'store' | 'title' | 'steps'> {
  readonly step: NonNullable<Work['step']>
}

function StepHead({ store, step: { index, state, agents, calls }, title, steps }: StepHeadProps) {
  const last = agents.at(-1) ?? calls.at(-1)
  return (
    <span
      role="treeitem"
      aria-level={1}
      aria-setsize={steps}
      aria-posinset={index + 1}
      aria-selected={false}
      {...(last === undefined ? {} : { 'aria-expanded': true })}
      class={`step-head${state === null ? ' idle' : ''}`}
      title={title}
      onClick={() => last !== undefined && store.select(last)}
    >
      <span class="step-state">{state ? <StateSign state={state} /> : <span class="not-begun" />}</span>
      <span class="step-number number muted">
        <span class="spoken">Step </span>
        {index + 1}
      </span>
      <span class="step-title">{title}</span>
      {agents.length > 1 && (
        <span class="muted number" title={`${agents.length} agents worked on it`}>
          ×{agents.length}
        </span>
      )}
      <span class="spoken">, {state ?? 'not started'}</span>
    </span>
  )
}

interface DoerProps extends Pick<WorkRowProps, 'store' | 'row' | 'isSelected'> {
  readonly node: NonNullable<Work['node']>
  readonly style: { readonly paddingLeft: string }
}

/** The agent that worked, or the sub-plan that was started. */
function Doer({ store, row, node, style, isSelected }: DoerProps) {
  const { name, label, role, state, id } = node.row
  const shown = row.name ?? name
  const isCaller = row.id === undefined
  return (
    <span
      {...(isCaller ? {} : { id: `span-${id}` })}
      role="treeitem"
      aria-level={row.depth * 2 + 2}
      aria-selected={isSelected}
      {...(row.cells.length === 0 ? {} : { 'aria-expanded': true })}
      class={`w-doer${row.cells.length === 0 ? ' alone' : ''}`}
      style={style}
      title={[roleWord(role), row.name, name, label].filter((text) => text).join(' · ')}
      onClick={() => store.select(id)}
    >
      {row.depth > DEEPEST && <span class="level number muted">{row.depth}</span>}
      <Glyph role={role} />
      <span class="spoken">{roleWord(role)} </span>
      <span class="name">{shown}</span>
      <span class="spoken">, {state ?? 'state not known'}</span>
    </span>
  )
}

const tokensText = ({ tokens }: NonNullable<Work['node']>): string =>
  tokens === 0 ? '' : `${wholeCount(tokens)} tokens, with all that it started`

/** A step on which no known agent worked. */
function Idle({
  step: { state },
  name,
  style,
}: Pick<StepHeadProps, 'step'> & Pick<Work, 'name'> & Pick<DoerProps, 'style'>) {
  return (
    <span class={`w-idle${state === null ? ' hatched' : ''}`} style={name === undefined ? {} : style} role="none">
      {name !== undefined && <span class="name">{name}</span>}
      <span class="muted">{state === null ? 'not started' : `${state}; agent unknown`}</span>
    </span>
  )
}
