import { linkTo } from '../url/base.js'
import { withParameters } from '../url/location.js'
import type { PlanStore } from './plan-store.js'

const VIEWS = [
  ['plan', 'Plan'],
  ['tree', 'Tree'],
  ['waterfall', 'Waterfall'],
  ['graph', 'Graph'],
] as const
export type View = (typeof VIEWS)[number][0]

/** The view of a URL; undefined if it names none. */
export const viewOf = ({ searchParams }: URL): View | undefined =>
  VIEWS.find(([view]) => view === searchParams.get('view'))?.[0]

/** The view that is a number of places further on. */
export function viewBeside(shown: View, by: number): View {
  const at = VIEWS.findIndex(([view]) => view === shown)
  return VIEWS[(at + by + VIEWS.length) % VIEWS.length]?.[0] ?? 'tree'
}

/** The tabs of a plan's views. */
export function ViewTabs({ store }: { readonly store: PlanStore }) {
  const current = store.view.value
  return (
    <nav class="view-tabs" aria-label="Views">
      {VIEWS.map(([view, title]) => (
        <a key={view} href={linkTo(withParameters({ view }))} aria-current={view === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
