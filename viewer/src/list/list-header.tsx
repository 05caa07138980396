import { here, setParameters } from '../url/location.js'

/** The columns: class, title, and sort key of the server. */
const COLUMNS: readonly (readonly [name: string, title: string, sort?: string])[] = [
  ['c-state', 'State'],
  ['c-title', 'Plan'],
  ['c-headline', 'Headline'],
  ['c-workflow', 'Workflow'],
  ['c-steps', 'Steps'],
  ['c-failures number', 'Failed'],
  ['c-risk number', 'Risk', 'risk'],
  ['c-wait number', 'Waits'],
  ['c-tokens number', 'Tokens', 'tokens'],
  ['c-cost number', 'Cost', 'cost'],
  ['c-duration number', 'Duration', 'duration'],
  ['c-start number', 'Started', 'start'],
]

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
        {COLUMNS.map(([name, title, sort]) => (
          <span
            key={name}
            role="columnheader"
            class={name}
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
          </span>
        ))}
      </div>
    </div>
  )
}
