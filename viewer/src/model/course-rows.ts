import type { StepsJson } from 'planspan/client'

import { type Mark, marksOf, type PlanSteps, type Step } from './course-marks.js'
import { workOf } from './ribbon.js'
import { isCause, type Node, type Tree } from './tree.js'

/** A line of the plan view. */
export type CourseRow = Shape & {
  readonly key: string
  /** Its span. */
  readonly id: string | undefined
  /** The number of plans and agents around it. */
  readonly depth: number
  /** Its index in the block of its step, and the size of the block. */
  readonly block: { readonly at: number; readonly of: number } | undefined
}

type Shape =
  | { readonly kind: 'mark'; readonly mark: Mark }
  | { readonly kind: 'note'; readonly label: string; readonly text: string }
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'more'; readonly count: number }
  | { readonly kind: 'fault'; readonly node: Node; readonly count: number }
  | { readonly kind: 'deeper'; readonly node: Node }
  | Work

type Change = PlanSteps['versions'][number]['changes'][number]

/** A row of work; the first row of a step also shows the step. */
export interface Work {
  readonly kind: 'work'
  readonly step: Step | undefined
  /** The text in place of a step, if no step requested the work. */
  readonly aside: string | undefined
  /** The name of the row, if it is not the agent's name. */
  readonly name: string | undefined
  /** Undefined if nothing was done. */
  readonly node: Node | undefined
  readonly cells: readonly Node[]
}

type About = Pick<Work, 'step' | 'aside' | 'name'>
const PLAIN: About = { step: undefined, aside: undefined, name: undefined }

/** The position of a span. */
export interface Place {
  readonly row: number
  /** The index of its cell in the row's ribbon. */
  readonly cell: number | undefined
}

/** The rows of the plan view, and the position of each span. */
export interface Course {
  readonly rows: readonly CourseRow[]
  readonly places: ReadonlyMap<string, Place>
  readonly steps: number
  readonly done: number
}

/** The largest number of shown changes of a version. */
const MOST_CHANGES = 12
/** The deepest shown level of agents and sub-plans. */
const DEEPEST = 200

/** Builds the plan view: the planned steps beside the work, and the marks between them. */
export function courseOf({ plans }: StepsJson, tree: Tree): Course {
  const known = new Map(plans.map((plan) => [plan.spanId, plan]))
  const outermost = outermostPlans(tree).flatMap((node) => known.get(node.row.id) ?? [])
  const rows = outermost.flatMap((plan) => rowsOfPlan(plan, 0))
  const steps = outermost.flatMap((plan) => plan.steps)
  return { rows, places: placesOf(rows), steps: steps.length, done: steps.filter(isDone).length }

  function rowsOfPlan(plan: PlanSteps, depth: number): CourseRow[] {
    const places = marksOf(plan, tree)
    const others = plan.others.flatMap((id) => tree.nodes.get(id) ?? [])
    const aside = depth > 0 ? undefined : plan.steps.length > 0 ? 'No step requested this' : 'No steps are known'
    return [
      ...plan.steps.flatMap((step, index) => [
        ...(places[index] ?? []).flatMap((mark) => rowsOfMark(mark, tree, depth)),
        ...rowsOfStep(step, { plan, depth }),
      ]),
      ...(places[plan.steps.length] ?? []).flatMap((mark) => rowsOfMark(mark, tree, depth)),
      ...others.flatMap((agent, index) =>
        asBlock(rowsOfAgent(agent, { ...PLAIN, aside: index === 0 ? aside : undefined, depth })),
      ),
    ]
  }

  function rowsOfStep(step: Step, { plan, depth }: { readonly plan: PlanSteps; readonly depth: number }): CourseRow[] {
    const name = depth === 0 ? undefined : titleOf(step, tree)
    const of = (index: number) => ({ ...PLAIN, step: index === 0 ? step : undefined, name })
    const agents = step.agents.flatMap((id) => tree.nodes.get(id) ?? [])
    const lines = [
      ...agents.flatMap((agent, index) => rowsOfAgent(agent, { depth, ...of(index) })),
      ...callers(step).flatMap(([agent, cells], index) => {
        const shape = { kind: 'work', node: agent, cells, ...of(agents.length + index) } as const
        return row(shape, `${plan.spanId} ${step.index} ${agent.row.id}`, { depth })
      }),
    ]
    const idle = { ...of(0), kind: 'work', node: undefined, cells: [] } as const
    return asBlock(lines.length > 0 ? lines : [row(idle, `${plan.spanId} ${step.index}`, { depth })])
  }

  /** Returns the calls for a step by agents that belong to no step. */
  function callers({ calls }: Step): [Node, Node[]][] {
    const byAgent = new Map<Node, Node[]>()
    for (const id of calls) {
      const call = tree.nodes.get(id)
      let agent = call?.parent
      while (agent && agent.row.role !== 'agent') agent = agent.parent
      const caller = agent ?? call
      const made = caller && byAgent.get(caller)
      if (call && made) made.push(call)
      else if (call && caller) byAgent.set(caller, [call])
    }
    return [...byAgent]
  }

  function rowsOfAgent(node: Node, { depth, ...about }: About & { readonly depth: number }): CourseRow[] {
    const { cells, within } = workOf(node)
    const own = [row({ ...about, kind: 'work', node, cells }, node.row.id, { depth, id: node.row.id })]
    const fault = lastFault(node, within)
    if (fault) own.push(row({ kind: 'fault', ...fault }, `${node.row.id} fault`, { depth }))
    if (depth < DEEPEST) return [...own, ...within.flatMap((inner) => rowsWithin(inner, depth + 1))]
    const [deeper] = within
    if (deeper) own.push(row({ kind: 'deeper', node: deeper }, `${node.row.id} deeper`, { depth }))
    return own
  }

  function rowsWithin(node: Node, depth: number): CourseRow[] {
    if (node.row.role === 'agent') return rowsOfAgent(node, { ...PLAIN, depth })
    const plan = known.get(node.row.id)
    if (!plan) return []
    const shape = { ...PLAIN, kind: 'work', node, cells: [] } as const
    return [row(shape, node.row.id, { depth, id: node.row.id }), ...rowsOfPlan(plan, depth + 1)]
  }
}

/** Returns the last original failure of an agent outside of what it started, or its call that was cut off. */
function lastFault(agent: Node, within: readonly Node[]): { readonly node: Node; readonly count: number } | undefined {
  const apart = new Set(within)
  let last: Node | undefined
  let count = 0
  const pending = [agent]
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.causes + node.cutOff === 0 || apart.has(node)) continue
    if (isCause(node)) {
      count++
      if (!last || node.row.start >= last.row.start) last = node
    }
    for (const child of node.children) pending.push(child)
  }
  return last && { node: last, count }
}

const isDone = ({ state }: Step): boolean => state === 'completed'

/** The title of a step: from its plan, else from its agent. */
export const titleOf = ({ title, index, agents: [agent = ''] }: Step, { nodes }: Tree): string =>
  title ?? (nodes.get(agent)?.row.label || `Step ${index + 1}`)

/** The plans that are not inside another plan. */
function outermostPlans({ roots }: Tree): Node[] {
  const plans: Node[] = []
  const pending = roots.toReversed()
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.row.role === 'plan') plans.push(node)
    else for (const child of node.children.toReversed()) pending.push(child)
  }
  return plans
}

function rowsOfMark(mark: Mark, { nodes }: Tree, depth: number): CourseRow[] {
  const spanId = spanOfMark(mark)
  const key = spanId ?? `review ${JSON.stringify(mark)}`
  // The cycle of a review or wait is already in a ribbon.
  const isCycle = nodes.get(key)?.row.role === 'think_act'
  const notes = notesOf(mark).filter(([, text]) => text !== null && text !== '')
  const changes = mark.kind === 'version' ? mark.version.changes : []
  const more = changes.length - MOST_CHANGES
  return [
    row({ kind: 'mark', mark }, `${key} mark`, { depth, id: isCycle ? undefined : spanId }),
    ...notes.map(([label, text]) => row({ kind: 'note', label, text: text ?? '' }, `${key} ${label}`, { depth })),
    ...changes
      .slice(0, MOST_CHANGES)
      .map((change, index) => row({ kind: 'change', change }, `${key} change ${index}`, { depth })),
    ...(more > 0 ? [row({ kind: 'more', count: more }, `${key} more`, { depth })] : []),
  ]
}

/** The span of a mark. */
export function spanOfMark(mark: Mark): string | undefined {
  if (mark.kind === 'version') return mark.version.spanId
  return mark.kind === 'wait' ? mark.wait.spanId : undefined
}

/** The texts of a mark. */
function notesOf(mark: Mark): (readonly [label: string, text: string | null])[] {
  if (mark.kind === 'version') {
    return [
      ['Why', mark.version.reason],
      ['Plan', mark.version.text],
    ]
  }
  const said = ['Said', mark.review?.feedback ?? null] as const
  if (mark.kind === 'review') return [said]
  const { question, answers } = mark.wait
  return [['Question', question], ...answers.map(({ label, value }) => [label ?? 'Answer', value] as const), said]
}

const row = (
  shape: Shape,
  key: string,
  { depth, id }: { readonly depth: number; readonly id?: string | undefined },
): CourseRow => ({ ...shape, key, id, depth, block: undefined })

const asBlock = (rows: readonly CourseRow[]): CourseRow[] =>
  rows.map((line, at) => ({ ...line, block: { at, of: rows.length } }))

function placesOf(rows: readonly CourseRow[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const [index, line] of rows.entries()) {
    if (line.id !== undefined) places.set(line.id, { row: index, cell: undefined })
    if (line.kind !== 'work') continue
    for (const [
      cell,
      {
        row: { id },
      },
    ] of line.cells.entries())
      places.set(id, { row: index, cell })
  }
  return places
}

/** Returns the position of a span, or of its nearest visible ancestor. */
export function placeOf({ places }: Course, node: Node | undefined): Place | undefined {
  for (let at = node; at; at = at.parent) {
    const place = places.get(at.row.id)
    if (place) return place
  }
  return undefined
}
