import { linkTo } from '../url/base.js'
import { here, withParameters } from '../url/location.js'

const VIEWS = [
  ['tree', 'Tree'],
  ['waterfall', 'Waterfall'],
  ['graph', 'Graph'],
] as const
export type View = (typeof VIEWS)[number][0]

/** The view that a URL asks for. */
export const viewOf = ({ searchParams }: URL): View =>
  VIEWS.find(([view]) => view === searchParams.get('view'))?.[0] ?? 'tree'

/** The view that stands so many places further on. */
export function viewBeside(by: number): View {
  const at = VIEWS.findIndex(([view]) => view === viewOf(here.peek()))
  return VIEWS[(at + by + VIEWS.length) % VIEWS.length]?.[0] ?? 'tree'
}

/** The ways to look at a plan. */
export function ViewTabs() {
  const current = viewOf(here.value)
  return (
    <nav class="view-tabs" aria-label="Views">
      {VIEWS.map(([view, title]) => (
        <a
          key={view}
          href={linkTo(withParameters({ view: view === 'tree' ? undefined : view }))}
          aria-current={view === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
