import fc from 'fast-check'
import { ATTR, type State, type StoredSpan } from '../../src/semconv/index.js'
import { finalRow, snapshotRow, type LiveRow } from './live-rows.js'

/** A moment in the life of a plan: the rows sent so far, and the true state of the plan. */
export interface Moment {
  /** The number of rows of this life that have been sent. */
  readonly sent: number
  /** Seconds. */
  readonly time: number
  /** The state of the plan at a time in seconds. */
  readonly stateAt: (now: number) => State
  readonly record: ExpectedRecord
}

/** The expected values of the plan's record, in the simplest terms. */
export interface ExpectedRecord {
  readonly completed: boolean
  /** The title of the open wait. */
  readonly waitsFor: string | undefined
  readonly waits: readonly string[]
  readonly agents: readonly { readonly stepId: string; readonly status: string; readonly cycles: readonly Result[] }[]
}

/** The outcome of a cycle's tool call: still open, or no call. */
type Result = string | null | undefined

export interface PlanLife {
  readonly rows: readonly StoredSpan[]
  readonly moments: readonly Moment[]
}

export const HEARTBEAT_SECONDS = 30

/** The possible next events, by the innermost open span; a duplicate entry doubles the probability. */
const NEXT = {
  plan: ['agent', 'agent', 'agent', 'agent', 'ask', 'beat', 'crash', 'end'],
  agent: ['cycle', 'cycle', 'cycle', 'cycle', 'close', 'close', 'ask', 'beat', 'crash', 'end'],
  think_act: ['tool', 'tool', 'tool', 'close', 'close', 'close', 'ask', 'beat', 'crash'],
  tool: ['close', 'close', 'close', 'close', 'ask', 'beat', 'crash', 'end'],
  wait: ['answer', 'answer', 'suspend', 'suspend', 'suspend', 'beat', 'crash', 'end'],
  gone: ['resume', 'resume', 'resume', 'nothing'],
  over: ['nothing'],
} as const
type Command = (typeof NEXT)[keyof typeof NEXT][number]

/** Lives of a plan and its agents, over any number of segments. */
export const planLife: fc.Arbitrary<PlanLife> = fc
  .record({
    commands: fc.array(fc.record({ choice: fc.nat(), pick: fc.nat(7), pause: fc.integer({ min: 1, max: 20 }) }), {
      maxLength: 60,
      size: 'max',
    }),
    tellsState: fc.boolean(),
    announces: fc.boolean(),
  })
  .map(({ commands, ...habits }) => {
    const process = new SimulatedPlan(habits)
    for (const { choice, pick, pause } of commands) process.run(choice, pick, pause)
    return { rows: process.rows, moments: process.moments }
  })

interface OpenSpan {
  readonly row: LiveRow
  snapshots: number
}

interface Agent {
  readonly stepId: string
  status: string
  readonly cycles: { result: Result }[]
}

interface Wait {
  readonly title: string
  readonly start: number
  isOpen: boolean
}

/** An agent process that follows the contract of snapshots, with its own state as an oracle. */
class SimulatedPlan {
  readonly rows: StoredSpan[] = []
  readonly moments: Moment[] = []
  readonly #habits: { readonly tellsState: boolean; readonly announces: boolean }
  readonly #agents: Agent[] = []
  readonly #waits: Wait[] = []
  #now = 0
  #segment = 0
  #lastRow = 0
  #isAlive = true
  #ended: State | undefined
  /** The plan, then its open descendants, the innermost last. */
  #open: OpenSpan[] = []
  #wait: { readonly span: OpenSpan; readonly wait: Wait } | undefined
  #counts = new Map<string, Map<string, number>>()

  constructor(habits: { tellsState: boolean; announces: boolean }) {
    this.#habits = habits
    this.#begin('plan-0', 'plan', {})
    this.#mark()
  }

  run(choice: number, pick: number, pause: number): void {
    this.#now += pause
    const before = this.rows.length
    const commands = NEXT[this.#standing()]
    this.#obey(commands[choice % commands.length] ?? 'nothing', pick)
    if (this.rows.length > before) this.#mark()
  }

  #standing(): keyof typeof NEXT {
    if (!this.#isAlive) return this.#ended === undefined || this.#ended === 'waiting' ? 'gone' : 'over'
    if (this.#wait) return 'wait'
    const role = this.#open.at(-1)?.row.role ?? 'plan'
    return role === 'agent' || role === 'think_act' || role === 'tool' ? role : 'plan'
  }

  #obey(command: Command, pick: number): void {
    const inner = this.#open.at(-1)
    if (command === 'crash') this.#isAlive = false
    else if (command === 'beat') this.#show(this.#open[0])
    else if (command === 'end') this.#end(pick)
    else if (command === 'answer') this.#answer()
    else if (command === 'suspend') this.#suspend()
    else if (command === 'resume') this.#resume(pick)
    else if (command === 'ask') this.#ask()
    else if (command === 'agent') this.#beginAgent(pick)
    else if (command === 'cycle') this.#beginCycle()
    else if (command === 'tool') this.#beginTool()
    else if (command === 'close' && inner) this.#close(inner, pick)
  }

  #beginCycle(): void {
    this.#agentAtWork()?.cycles.push({ result: undefined })
    this.#begin(`cycle-${this.rows.length}`, 'think_act', {})
  }

  #beginTool(): void {
    const cycle = this.#cycleAtWork()
    if (cycle) cycle.result = null
    this.#begin(`tool-${this.rows.length}`, 'tool', { [ATTR.toolName]: 't' })
  }

  #agentAtWork = (): Agent | undefined => {
    const id = this.#open.find(({ row }) => row.role === 'agent')?.row.attributes?.[ATTR.stepId]
    return this.#agents.find(({ stepId }) => stepId === id)
  }

  #cycleAtWork = (): { result: Result } | undefined => this.#agentAtWork()?.cycles.at(-1)

  #beginAgent(pick: number): void {
    const begun = new Set(this.#open.map(({ row }) => row.attributes?.[ATTR.stepId]))
    const again = this.#agents.find(({ stepId, status }) => status === 'RUNNING' && !begun.has(stepId))
    const stepId = again?.stepId ?? `step-${this.#agents.length}-${pick}`
    if (!again) this.#agents.push({ stepId, status: 'RUNNING', cycles: [] })
    this.#begin(`agent-${this.rows.length}`, 'agent', { [ATTR.stepId]: stepId })
    this.#show(this.#open[0])
  }

  #begin(id: string, role: LiveRow['role'], attributes: Readonly<Record<string, string>>): OpenSpan {
    const above = this.#open.at(-1)?.row
    const seq = above ? this.#count(above.id, role) : 0
    const isPlan = role === 'plan'
    const span: OpenSpan = {
      row: {
        id,
        role,
        seq,
        start: this.#now,
        ...(isPlan ? this.#segment > 0 && { parent: `plan-${this.#segment - 1}` } : above && { parent: above.id }),
        attributes: {
          ...attributes,
          ...(isPlan && this.#segment > 0 && { [ATTR.planSegment]: String(this.#segment) }),
          ...(isPlan && this.#habits.announces && { [ATTR.heartbeatIntervalMs]: String(HEARTBEAT_SECONDS * 1000) }),
        },
      },
      snapshots: 0,
    }
    this.#open.push(span)
    this.#show(span)
    return span
  }

  #count(parent: string, role: string): number {
    const counts = this.#counts.get(parent) ?? new Map<string, number>()
    this.#counts.set(parent, counts)
    const place = counts.get(role) ?? 0
    counts.set(role, place + 1)
    return place
  }

  #show(span: OpenSpan | undefined): void {
    if (!span) return
    const isPlan = span.row.role === 'plan'
    const reported = isPlan && this.#habits.tellsState ? { [ATTR.state]: this.#going() } : {}
    this.#send(
      snapshotRow(
        { ...span.row, end: this.#now, attributes: { ...span.row.attributes, ...reported } },
        span.snapshots++,
      ),
    )
  }

  #finish(span: OpenSpan, state: State, attributes: Readonly<Record<string, string>> = {}): void {
    const counts = Object.fromEntries(
      [...(this.#counts.get(span.row.id) ?? [])].map(([role, count]) => [
        `${ATTR.childrenPrefix}${role}`,
        String(count),
      ]),
    )
    const own = { ...span.row.attributes, ...counts, ...attributes, [ATTR.state]: state }
    this.#send(finalRow({ ...span.row, end: this.#now, error: state === 'failed', attributes: own }))
  }

  #send(row: StoredSpan): void {
    this.rows.push(row)
    this.#lastRow = this.#now
  }

  #close(span: OpenSpan, pick: number): void {
    const isFailed = pick === 0
    const { role } = span.row
    const cycle = this.#cycleAtWork()
    if (role === 'tool' && cycle && !isFailed) cycle.result = `result-${pick}`
    const agent = this.#agentAtWork()
    if (role === 'agent' && agent) agent.status = 'FINISHED'
    this.#open = this.#open.filter((open) => open !== span)
    this.#finish(
      span,
      isFailed ? 'failed' : 'completed',
      role === 'tool' && !isFailed ? { [ATTR.toolCallResult]: `result-${pick}` } : {},
    )
  }

  #ask(): void {
    const wait: Wait = { title: `wait-${this.#waits.length}`, start: this.#now, isOpen: true }
    this.#waits.push(wait)
    const span = this.#begin(wait.title, 'wait', { [ATTR.waitId]: `id-${wait.title}`, [ATTR.waitTitle]: wait.title })
    this.#open.pop()
    this.#wait = { span, wait }
    this.#show(this.#open[0])
  }

  #answer(): void {
    if (!this.#wait) return
    const { span, wait } = this.#wait
    this.#wait = undefined
    wait.isOpen = false
    this.#finish(span, 'completed', { [ATTR.waitWaiting]: 'false' })
    this.#show(this.#open[0])
  }

  #suspend(): void {
    if (!this.#wait) return
    this.#ended = 'waiting'
    this.#finish(this.#wait.span, 'waiting', { [ATTR.waitWaiting]: 'true' })
    for (const span of this.#open.toReversed()) this.#finish(span, 'waiting')
    this.#isAlive = false
  }

  /** Ends the plan; a signal or an error ends its open descendants. */
  #end(pick: number): void {
    const states = ['completed', 'failed', 'cancelled', 'interrupted'] as const
    const state = states[pick % 4] ?? 'completed'
    if (this.#wait) {
      this.#wait.wait.isOpen = false
      this.#finish(this.#wait.span, 'interrupted')
      this.#wait = undefined
    }
    const [plan, ...below] = this.#open
    for (const span of below.toReversed()) {
      this.#finish(span, 'interrupted')
    }
    if (plan) this.#finish(plan, state)
    this.#ended = state
    this.#isAlive = false
    this.#open = []
  }

  #resume(pick: number): void {
    const open = this.#wait
    this.#segment++
    this.#open = []
    this.#wait = undefined
    this.#isAlive = true
    this.#ended = undefined
    this.#begin(`plan-${this.#segment}`, 'plan', {})
    if (!open) return
    open.wait.isOpen = false
    if (pick % 2 === 0) return
    const attributes = {
      [ATTR.waitId]: `id-${open.wait.title}`,
      [ATTR.waitWaiting]: 'false',
      [ATTR.state]: 'completed',
    }
    this.#count(`plan-${this.#segment}`, 'wait')
    this.#send(
      finalRow({
        id: `answer-${this.rows.length}`,
        role: 'wait',
        parent: `plan-${this.#segment}`,
        start: open.wait.start,
        end: this.#now,
        attributes,
      }),
    )
  }

  #going(): State {
    if (this.#wait) return 'waiting'
    return this.#agents.length > 0 ? 'running' : 'planning'
  }

  #mark(): void {
    const going = this.#ended ?? this.#going()
    const lastRow = this.#lastRow
    const canFallSilent = this.#habits.announces && (going === 'running' || going === 'planning')
    this.moments.push({
      sent: this.rows.length,
      time: this.#now,
      stateAt: (now) => (canFallSilent && now - lastRow > HEARTBEAT_SECONDS ? 'interrupted' : going),
      record: {
        completed: ['completed', 'failed', 'cancelled'].includes(going),
        waitsFor: going === 'waiting' ? this.#waits.findLast(({ isOpen }) => isOpen)?.title : undefined,
        waits: this.#waits.map(({ title }) => title).sort(),
        agents: this.#agents.map(({ cycles, ...agent }) => ({ ...agent, cycles: cycles.map(({ result }) => result) })),
      },
    })
  }
}
