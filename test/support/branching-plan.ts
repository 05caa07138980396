import fc from 'fast-check'
import { ATTR, type Role, type State, type StoredSpan } from '../../src/semconv/index.js'
import { finalRow, snapshotRow, type LiveRow } from './live-rows.js'

export const HEARTBEAT_MS = 30_000

/** The probabilities of a simulated plan's behavior. */
interface Habits {
  /** Whether snapshots report the state of a span. */
  readonly tellsState: boolean
  readonly announces: boolean
  /** Whether ending a span leaves its children open. */
  readonly leavesOpen: boolean
}

interface Command {
  readonly choice: number
  readonly pick: number
  readonly pause: number
}

/**
 * The rows of plans in the order in which they were sent: concurrent branches, nested sub-plans, spans of other
 * instrumentation between them, waits in any of them, crashes, signals, suspended and resumed segments. These rows have
 * no expected values; see simulated-plan.ts for lives with an oracle.
 */
export const branchingLife: fc.Arbitrary<readonly StoredSpan[]> = fc
  .record({
    commands: fc.array(fc.record({ choice: fc.nat(), pick: fc.nat(), pause: fc.integer({ min: 1, max: 20 }) }), {
      minLength: 10,
      maxLength: 80,
      size: 'max',
    }),
    tellsState: fc.boolean(),
    announces: fc.boolean(),
    leavesOpen: fc.boolean(),
  })
  .map(({ commands, ...habits }) => {
    const plan = new BranchingPlan(habits)
    for (const command of commands) plan.run(command)
    return plan.rows
  })

const FOREIGN = 'foreign'
type Kind = Role | typeof FOREIGN

/** Which kinds may start below each kind; a duplicate entry doubles the probability. */
const BELOW: Readonly<Record<Kind, readonly Kind[]>> = {
  plan: ['agent', 'agent', 'agent', 'agent', 'planning', 'wait'],
  planning: ['llm'],
  agent: ['think_act', 'think_act', 'think_act', 'wait'],
  think_act: ['tool', 'tool', 'tool', 'llm', 'guardrail', 'wait'],
  tool: ['plan', 'plan', 'wait', FOREIGN],
  wait: [],
  llm: [],
  guardrail: ['llm'],
  foreign: ['plan', 'wait'],
}

/** The possible events with their weights. */
const CHANCES = {
  begin: 20,
  end: 3,
  show: 2,
  fail: 1,
  answer: 3,
  suspend: 2,
  crash: 1,
  signal: 1,
  resume: 4,
  finish: 1,
} as const
type What = keyof typeof CHANCES
const COMMANDS = (Object.entries(CHANCES) as [What, number][]).flatMap(([what, times]) =>
  Array.from({ length: times }, () => what),
)

interface OpenSpan {
  readonly kind: Kind
  readonly row: LiveRow
  readonly above: OpenSpan | undefined
  readonly planId: string
  snapshots: number
  hasFailed: boolean
}

const ENDS = ['completed', 'completed', 'completed', 'failed', 'cancelled'] as const satisfies readonly State[]
const OF_STATE: ReadonlySet<Kind> = new Set<Kind>(['plan', 'agent', 'think_act', 'wait'])
const ROOT = 'p'

class BranchingPlan {
  readonly rows: StoredSpan[] = []
  readonly #habits: Habits
  #now = 0
  #spans = 0
  #segment = 0
  /** The open spans of the latest segment; open spans of earlier segments continue in `#beside`. */
  #open: OpenSpan[] = []
  #beside: OpenSpan[] = []
  #ended: State | undefined
  /** The sub-plans by id, and whether they ended by themselves. */
  readonly #subPlans = new Map<string, { readonly parentId: string; segment: number; isDone: boolean }>()
  #asked: OpenSpan | undefined

  constructor(habits: Habits) {
    this.#habits = habits
    this.#beginSegment()
  }

  run({ choice, pick, pause }: Command): void {
    this.#now += pause
    this.#obey(COMMANDS[choice % COMMANDS.length] ?? 'show', pick)
  }

  #obey(what: What, pick: number): void {
    // The innermost span is active most of the time.
    const open = pick % 2 === 0 ? this.#open.at(-1) : this.#open[pick % Math.max(1, this.#open.length)]
    if (what === 'resume') this.#resume(pick)
    else if (what === 'crash') this.#crash()
    else if (what === 'signal') this.#signal(pick)
    else if (what === 'end' || what === 'show' || what === 'fail') {
      const all = [...this.#open, ...this.#beside]
      const span = all[pick % Math.max(1, all.length)]
      if (!span || span.row.id === `${ROOT}-${this.#segment}`) return
      if (what === 'end') this.#end(span, pick)
      else {
        if (what === 'fail') span.hasFailed = true
        this.#show(span)
      }
    } else if (!open) return
    else if (what === 'begin') this.#begin(open, pick)
    else if (what === 'finish') {
      const [root] = this.#open
      if (root && pick % 3 === 0) this.#end(root, pick)
    } else {
      const wait = this.#open.findLast(({ kind }) => kind === 'wait')
      if (wait && what === 'answer') this.#end(wait, pick)
      else if (wait) this.#suspend(wait)
    }
  }

  #beginSegment(): void {
    const segment = this.#segment
    const row: LiveRow = {
      id: `${ROOT}-${segment}`,
      role: 'plan',
      planId: ROOT,
      start: this.#now,
      ...(segment > 0 && { parent: `${ROOT}-${segment - 1}` }),
      attributes: {
        ...(segment > 0 && { [ATTR.planSegment]: String(segment) }),
        ...(this.#habits.announces && { [ATTR.heartbeatIntervalMs]: String(HEARTBEAT_MS) }),
      },
    }
    const root: OpenSpan = { kind: 'plan', row, above: undefined, planId: ROOT, snapshots: 0, hasFailed: false }
    this.#open.push(root)
    this.#show(root)
  }

  #begin(above: OpenSpan, pick: number): void {
    const kinds = BELOW[above.kind]
    const kind = kinds[(pick >> 1) % Math.max(1, kinds.length)]
    if (kind === undefined) return
    const id = `${kind}-${this.#spans++}`
    const subPlanId = kind === 'plan' ? this.#subPlan(above.planId, id) : undefined
    const planId = subPlanId ?? above.planId
    const span: OpenSpan = {
      kind,
      above,
      planId,
      snapshots: 0,
      hasFailed: false,
      row: {
        id,
        role: kind === FOREIGN ? 'tool' : kind,
        parent: above.row.id,
        planId,
        rootId: ROOT,
        start: this.#now,
        attributes: this.#attributes(kind, id, above, pick),
      },
    }
    if (kind === 'llm' || kind === 'guardrail') {
      span.hasFailed = pick % 7 === 0
      this.#send(finalRow({ ...span.row, end: this.#now, error: span.hasFailed }), kind)
      return
    }
    this.#open.push(span)
    this.#show(span)
    for (let open: OpenSpan | undefined = above; open; open = open.above) {
      if (kind === 'wait' || open.kind === 'plan') this.#show(open)
    }
  }

  #attributes(kind: Kind, id: string, above: OpenSpan, pick: number): Readonly<Record<string, string>> {
    if (kind === 'wait') return { [ATTR.waitId]: `id-${id}`, [ATTR.waitWaiting]: 'true' }
    if (kind === 'guardrail') return { [ATTR.riskScore]: '0.5' }
    if (kind === 'plan') {
      const heartbeat = this.#habits.announces ? { [ATTR.heartbeatIntervalMs]: String(HEARTBEAT_MS) } : {}
      return { [ATTR.planParentId]: above.planId, ...heartbeat }
    }
    if (kind !== 'agent') return {}
    const step = String(pick % 3)
    const agents = this.#open.filter(
      ({ kind, planId, row }) =>
        kind === 'agent' && planId === above.planId && row.attributes?.[ATTR.stepIndex] === step,
    )
    const again = agents.length > 0 ? `-${id}` : ''
    return { [ATTR.stepIndex]: step, [ATTR.stepId]: `${above.planId}-step-${step}${again}` }
  }

  /** An unfinished sub-plan resumes when it is started again. */
  #subPlan(parentId: string, id: string): string {
    const segment = this.#segment
    for (const [planId, subPlan] of this.#subPlans) {
      if (subPlan.isDone || subPlan.segment === segment || subPlan.parentId !== parentId) continue
      subPlan.segment = segment
      return planId
    }
    this.#subPlans.set(id, { parentId, segment, isDone: false })
    return id
  }

  #show(span: OpenSpan): void {
    const reported = this.#habits.tellsState && OF_STATE.has(span.kind) ? { [ATTR.state]: this.#going(span) } : {}
    const attributes = { ...span.row.attributes, ...reported }
    const row = { ...span.row, end: this.#now, error: span.hasFailed, attributes }
    this.#send(snapshotRow(row, span.snapshots++), span.kind)
  }

  #going(span: OpenSpan): State {
    const below = [...this.#open, ...this.#beside].filter((open) => open === span || isBelow(open, span))
    if (below.some(({ kind }) => kind === 'wait')) return 'waiting'
    if (span.kind !== 'plan') return 'running'
    return below.some(({ kind, planId }) => kind === 'agent' && planId === span.planId) ? 'running' : 'planning'
  }

  #end(span: OpenSpan, pick: number, state: State = ENDS[pick % ENDS.length] ?? 'completed'): void {
    const below = [...this.#open, ...this.#beside].filter((open) => isBelow(open, span))
    if (!this.#habits.leavesOpen || pick % 2 === 0) {
      for (const open of below.toReversed()) this.#close(open, 'interrupted')
    }
    this.#close(span, state)
    // Spans left open by an ended plan never continue.
    for (const open of below) this.#forget(open)
    if (span.row.id === `${ROOT}-${this.#segment}`) {
      this.#ended = state
      this.#crash()
    }
  }

  #close(span: OpenSpan, state: State): void {
    const isReported = OF_STATE.has(span.kind) || state === 'waiting'
    const error = state === 'failed' || (span.hasFailed && state === 'completed')
    const reported = { [ATTR.state]: error ? 'failed' : state }
    const waiting = span.kind === 'wait' ? { [ATTR.waitWaiting]: String(state === 'waiting') } : {}
    const attributes = { ...span.row.attributes, ...waiting, ...(isReported && reported) }
    this.#send(finalRow({ ...span.row, end: this.#now, error, attributes }), span.kind)
    this.#forget(span)
    const subPlan = span.kind === 'plan' ? this.#subPlans.get(span.planId) : undefined
    if (subPlan) subPlan.isDone = state !== 'waiting' && state !== 'interrupted'
  }

  #forget(span: OpenSpan): void {
    this.#open = this.#open.filter((open) => open !== span)
    this.#beside = this.#beside.filter((open) => open !== span)
  }

  /** Ends the wait and its ancestors; concurrent spans continue. */
  #suspend(wait: OpenSpan): void {
    this.#asked = wait
    for (let open: OpenSpan | undefined = wait; open; open = open.above) this.#close(open, 'waiting')
    this.#ended = 'waiting'
    this.#beside.push(...this.#open)
    this.#open = []
  }

  #crash(): void {
    if (this.#open.length > 0) this.#asked = this.#open.findLast(({ kind }) => kind === 'wait')
    for (const open of [...this.#open, ...this.#beside]) this.#forget(open)
  }

  #signal(pick: number): void {
    if (pick % 2 > 0) return
    const [root] = this.#open
    for (const open of this.#open.toReversed()) this.#close(open, 'interrupted')
    if (root) this.#ended = 'interrupted'
    this.#crash()
  }

  #resume(pick: number): void {
    const isOver = this.#ended === 'completed' || this.#ended === 'failed' || this.#ended === 'cancelled'
    if (this.#open.length > 0 || isOver) return
    this.#segment++
    this.#ended = undefined
    // Nothing starts in an earlier segment; its open spans may end or send snapshots.
    this.#beginSegment()
    const asked = this.#asked
    this.#asked = undefined
    if (!asked || pick % 3 === 0) return
    this.#send(
      finalRow({
        ...asked.row,
        id: `answer-${this.#spans++}`,
        planId: ROOT,
        parent: `${ROOT}-${this.#segment}`,
        end: this.#now,
        attributes: { ...asked.row.attributes, [ATTR.waitWaiting]: 'false', [ATTR.state]: 'completed' },
      }),
      'wait',
    )
  }

  #send(row: StoredSpan, kind: Kind): void {
    if (kind !== FOREIGN) {
      this.rows.push(row)
      return
    }
    const { [ATTR.spanKind]: _, ...attributes } = row.attributes
    this.rows.push({ ...row, name: 'GET', attributes })
  }
}

function isBelow(span: OpenSpan, above: OpenSpan): boolean {
  for (let open = span.above; open; open = open.above) if (open === above) return true
  return false
}
