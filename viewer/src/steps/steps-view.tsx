import type { RefObject } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'

import { type Course, type CourseRow, titleOf } from '../model/course-rows.js'
import { isMoving } from '../model/words.js'
import { useVirtual } from '../parts/use-virtual.js'
import { withParameters } from '../url/location.js'
import type { PlanStore } from '../plan/plan-store.js'
import { MarkRow } from './mark-row.js'
import { ChangeRow, DeeperRow, FaultRow, MoreRow, NoteRow } from './plain-rows.js'
import { heightOf, isQuiet } from './row-height.js'
import { bindStepsKeys } from './steps-keys.js'
import { createStepsStore, type StepsStore } from './steps-store.js'
import { useRoom } from './use-room.js'
import { WorkRow } from './work-row.js'

const HEADER = 30

const NOTHING: Course = { rows: [], places: new Map(), steps: 0, done: 0 }

/** The planned steps beside the work. */
export function StepsView({ store }: { readonly store: PlanStore }) {
  const steps = useMemo(() => createStepsStore(store), [store])
  useEffect(() => {
    const leaving = new AbortController()
    steps.follow(leaving.signal)
    return () => leaving.abort()
  }, [steps])
  const isTold = steps.course.value !== undefined
  // Bound after the page's keys, so that they take precedence.
  useEffect(() => (isTold ? bindStepsKeys(store, steps) : undefined), [isTold, store, steps])
  if (steps.failure.value !== undefined) {
    return (
      <div class="span-view steps-view" role="alert">
        <p class="nothing">The steps cannot be loaded: {steps.failure.value}</p>
      </div>
    )
  }
  return <Lines store={store} steps={steps} />
}

function Lines({ store, steps }: { readonly store: PlanStore; readonly steps: StepsStore }) {
  const course = steps.course.value ?? NOTHING
  const { rows } = course
  const header = useRef<HTMLDivElement>(null)
  const room = useRoom(header)
  const heights = useMemo(() => rows.map((row) => heightOf(row, stepTitle(row, store), room)), [course, room])
  const rowHeight = useMemo(() => (index: number) => heights[index] ?? 0, [heights])
  const { scroller, items, height, scrollTo } = useVirtual({ count: rows.length, rowHeight, above: HEADER })
  const at = steps.place.value
  useEffect(() => {
    if (at) scrollTo(at.row)
  }, [at?.row])
  const newest = rows.findLastIndex((row) => row.kind === 'work' && row.node?.row.state && isMoving(row.node.row.state))
  useEffect(() => {
    if (newest >= 0 && store.isFollowing.value && store.mayChange.value && !at) scrollTo(newest)
  }, [newest, store.isFollowing.value])
  const current = at && rows[at.row]
  const active = at?.cell === undefined ? current?.id : current?.kind === 'work' ? current.cells[at.cell]?.row.id : ''
  const isThere = rows.length > 0
  return (
    <div class={`span-view steps-view${room.isStacked ? ' stacked' : ''}`}>
      <div
        ref={scroller}
        class="scroller"
        {...(isThere ? { role: 'tree', 'aria-label': 'Plan' } : {})}
        aria-busy={steps.course.value === undefined}
        tabIndex={0}
        {...(active ? { 'aria-activedescendant': `span-${active}` } : {})}
      >
        <Header course={course} refer={header} />
        <div class="rows" role="none" style={{ height: `${height}px` }}>
          {items.map(({ index, start }) => {
            const row = rows[index]
            if (!row) return null
            const isSelected = at?.row === index
            return (
              <div
                key={row.key}
                role="none"
                class={classOf(row, isSelected)}
                style={{
                  transform: `translateY(${start}px)`,
                  height: `${heights[index] ?? 0}px`,
                  '--level': row.depth,
                }}
              >
                <Line
                  store={store}
                  row={row}
                  course={course}
                  width={room.ribbon}
                  isSelected={isSelected && at.cell === undefined}
                  cell={isSelected ? at.cell : undefined}
                />
              </div>
            )
          })}
        </div>
        {steps.course.value !== undefined && !isThere && <Nothing />}
      </div>
    </div>
  )
}

interface LineProps {
  readonly store: PlanStore
  readonly row: CourseRow
  readonly course: Course
  readonly width: number
  readonly isSelected: boolean
  readonly cell: number | undefined
}

function Line({ store, row, course, width, isSelected, cell }: LineProps) {
  switch (row.kind) {
    case 'work':
      return (
        <WorkRow
          store={store}
          row={row}
          title={stepTitle(row, store)}
          steps={course.steps}
          width={width}
          isSelected={isSelected}
          cell={cell}
        />
      )
    case 'mark':
      return <MarkRow store={store} mark={row.mark} depth={row.depth} id={row.id} isSelected={isSelected} />
    case 'note':
      return <NoteRow label={row.label} text={row.text} />
    case 'change':
      return <ChangeRow change={row.change} />
    case 'more':
      return <MoreRow count={row.count} />
    case 'fault':
      return <FaultRow node={row.node} count={row.count} depth={row.depth} />
    case 'deeper':
      return <DeeperRow node={row.node} />
  }
}

/** The title at the left of a row. */
const stepTitle = (row: CourseRow, { tree }: PlanStore): string =>
  row.kind === 'work' && row.step && row.depth === 0 ? titleOf(row.step, tree.value) : ''

function classOf(row: CourseRow, isSelected: boolean): string {
  const { kind, block, depth } = row
  const place = block ? `${block.at === 0 ? ' first' : ''}${block.at === block.of - 1 ? ' last' : ''}` : ''
  const quiet = kind === 'mark' && isQuiet(row.mark) ? ' quiet-mark' : ''
  return `course-row ${kind}-row${quiet}${place}${depth > 0 ? ' inner' : ''}${isSelected ? ' selected' : ''}`
}

interface HeaderProps {
  readonly course: Course
  readonly refer: RefObject<HTMLDivElement | null>
}

function Header({ course: { steps, done }, refer }: HeaderProps) {
  return (
    <div ref={refer} class="course-row header" role="none">
      <span class="w-step">As planned{steps > 0 && `, ${done} of ${steps} done`}</span>
      <span class="w-doer" title="One cell per cycle; a corner marks a failed call, a shield a judgement">
        What was done
      </span>
      <span class="ribbon" />
      <span class="s-marks" />
      <span class="w-count number" title="Cycles, and calls outside of cycles">
        Cycles
      </span>
      <span class="s-cost number">Cost</span>
      <span class="s-duration number">Duration</span>
    </div>
  )
}

function Nothing() {
  return (
    <p class="nothing">
      <span>No steps, versions, reviews or waits are recorded for this plan yet.</span>
      <a class="button" href={withParameters({ view: 'tree' })}>
        To its tree
      </a>
    </p>
  )
}
