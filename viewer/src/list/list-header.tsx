import { here, setParameters } from '../url/location.js'
import { type Column, LEAST_WIDTH, MOST_WIDTH, setWidth, shownColumns } from './columns.js'

/** The column titles, which sort the list. */
export function ListHeader() {
  const { searchParams } = here.value
  const sorted = searchParams.get('sort') ?? 'start'
  const isUp = searchParams.get('order') === 'asc'
  const sortBy = (sort: string): void => {
    const order = sort === sorted && !isUp ? 'asc' : undefined
    setParameters({ sort: sort === 'start' ? undefined : sort, order })
  }
  return (
    <div role="rowgroup" class="list-header">
      <div role="row" aria-rowindex={1} class="plan-row header">
        {shownColumns.value.map(({ name, title, sort, width, isNumber, isFixed }) => (
          <span
            key={name}
            role="columnheader"
            class={`c-${name}${isNumber ? ' number' : ''}`}
            {...(sort === sorted ? { 'aria-sort': isUp ? 'ascending' : 'descending' } : {})}
          >
            {sort === undefined ? (
              title
            ) : (
              <button type="button" class="sort" onClick={() => sortBy(sort)}>
                {title}
                {sort === sorted && <span aria-hidden="true">{isUp ? ' ↑' : ' ↓'}</span>}
              </button>
            )}
            {width !== undefined && !isFixed && <ColumnEdge name={name} title={title} />}
          </span>
        ))}
      </div>
    </div>
  )
}

const STEP = 8

/** Resizes a column by the pointer or by arrow keys; a double click restores its width. */
function ColumnEdge({ name, title }: Pick<Column, 'name' | 'title'>) {
  const widthOf = (edge: HTMLElement): number => edge.parentElement?.getBoundingClientRect().width ?? LEAST_WIDTH
  const report = (edge: HTMLElement): void => edge.setAttribute('aria-valuenow', String(Math.round(widthOf(edge))))
  return (
    <span
      class="column-edge"
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${title}`}
      aria-valuemin={LEAST_WIDTH}
      aria-valuemax={MOST_WIDTH}
      aria-valuenow={LEAST_WIDTH}
      tabIndex={0}
      onFocus={({ currentTarget }) => report(currentTarget)}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key]
        if (by === undefined) return
        event.preventDefault()
        event.stopPropagation()
        const edge = event.currentTarget
        setWidth(name, widthOf(edge) + by)
        requestAnimationFrame(() => report(edge))
      }}
      onDblClick={() => setWidth(name, undefined)}
      onPointerDown={(event) => {
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
      }}
      onPointerMove={({ currentTarget, pointerId, movementX }) => {
        if (currentTarget.hasPointerCapture(pointerId)) setWidth(name, widthOf(currentTarget) - movementX)
      }}
    />
  )
}
