import { toStoredSpan } from '../../src/mapping/index.js'
import { ATTR, OPERATIONS, PENDING, type Role, type Span, spanName, type StoredSpan } from '../../src/semconv/index.js'

type Attributes = Span['attributes']

interface OpenSpan {
  readonly role: Role
  readonly spanId: string
  readonly parentSpanId: string
  readonly start: bigint
  attributes: Attributes
  seq: number
}

export interface PlanLifeOptions {
  readonly traceId: string
  readonly planId: string
  /** Its start in Unix milliseconds. @default noon of 2026-03-04 */
  readonly begin?: number
}

const NOON = Date.UTC(2026, 2, 4, 12)
const STEP_MS = 10

/**
 * The rows of a live plan, one at a time, as they are written while it runs: a snapshot when a span starts or changes,
 * the final span when it ends. Each row is some milliseconds later than the previous one.
 */
export class PlanLife {
  readonly rows: Span[] = []
  readonly #options: PlanLifeOptions
  readonly #open = new Map<string, OpenSpan>()
  #now: number
  #spans = 0

  constructor(options: PlanLifeOptions) {
    this.#options = options
    this.#now = options.begin ?? NOON
  }

  /** The rows as the store returns them. */
  get stored(): StoredSpan[] {
    return this.rows.map(toStoredSpan)
  }

  /** Starts a span under a name of the test's choice; returns the row of its first snapshot. */
  start(name: string, role: Role, parent?: string, attributes: Attributes = {}): Span {
    const { planId } = this.#options
    this.#open.set(name, {
      role,
      spanId: this.#nextId(1),
      parentSpanId: parent === undefined ? '' : (this.#open.get(parent)?.spanId ?? ''),
      start: this.#tick(),
      attributes: {
        [ATTR.spanKind]: role,
        [ATTR.operationName]: OPERATIONS[role],
        [ATTR.planId]: planId,
        [ATTR.planRootId]: planId,
        ...attributes,
      },
      seq: 0,
    })
    return this.change(name)
  }

  /** Sets attributes on an open span; returns the row of its next snapshot. */
  change(name: string, attributes: Attributes = {}): Span {
    const span = this.#get(name)
    span.attributes = { ...span.attributes, ...attributes }
    return this.#add(span, {
      spanId: this.#nextId(2),
      parentSpanId: span.spanId,
      attributes: {
        ...span.attributes,
        [ATTR.spanState]: PENDING,
        [ATTR.pendingSpanId]: span.spanId,
        [ATTR.pendingParentSpanId]: span.parentSpanId,
        [ATTR.snapshotSeq]: span.seq++,
      },
    })
  }

  /** Ends a span; returns its final row. */
  end(name: string, attributes: Attributes = {}, statusCode: Span['statusCode'] = 'UNSET'): Span {
    const { spanId, parentSpanId, attributes: own, ...span } = this.#get(name)
    this.#open.delete(name)
    return this.#add(span, { spanId, parentSpanId, statusCode, attributes: { ...own, ...attributes } })
  }

  /** Lets spans start below an ended span, like the next segment of a suspended plan. */
  adopt(name: string, { spanId, parentSpanId, startTimeUnixNano: start, attributes }: Span): void {
    this.#open.set(name, { role: 'plan', spanId, parentSpanId, start, attributes, seq: 0 })
  }

  #get(name: string): OpenSpan {
    const span = this.#open.get(name)
    if (!span) throw new Error(`No span ${name} is open.`)
    return span
  }

  #add(
    { role, start }: Pick<OpenSpan, 'role' | 'start'>,
    fields: Pick<Span, 'spanId' | 'parentSpanId' | 'attributes'> & Partial<Span>,
  ): Span {
    const row: Span = {
      traceId: this.#options.traceId,
      name: spanName(role),
      kind: 'INTERNAL',
      startTimeUnixNano: start,
      endTimeUnixNano: this.#tick(),
      statusCode: 'UNSET',
      statusMessage: '',
      events: [],
      links: [],
      ...fields,
    }
    this.rows.push(row)
    return row
  }

  #tick(): bigint {
    this.#now += STEP_MS
    return BigInt(this.#now) * 1_000_000n
  }

  /** Gives final spans and snapshots ids of different kinds, so that a failing test shows which they are. */
  #nextId(kind: number): string {
    return `${String(kind)}${String(++this.#spans).padStart(15, '0')}`
  }
}

/** A plan of two steps with a tool call each; the second step waits for a person. All rows in order. */
export function wholeLife(options: PlanLifeOptions): PlanLife {
  const life = new PlanLife(options)
  life.start('plan', 'plan', undefined, { [ATTR.planTitle]: 'A day in Rome', [ATTR.agentName]: 'trip' })
  life.start('planning', 'planning', 'plan', { [ATTR.agentName]: 'planner' })
  life.end('planning', { [ATTR.planSteps]: ['Look', 'Book'] })
  for (const step of [0, 1]) {
    life.start('agent', 'agent', 'plan', { [ATTR.stepIndex]: step, [ATTR.stepId]: `step-${String(step)}` })
    life.start('cycle', 'think_act', 'agent')
    if (step === 1) {
      life.start('wait', 'wait', 'cycle', { [ATTR.waitTitle]: 'May I book?' })
      life.end('wait', { [ATTR.waitResolution]: 'approved' })
    }
    life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'browse', [ATTR.toolCallArguments]: '{"page":1}' })
    life.change('plan', { [ATTR.planCurrentStepIndex]: step })
    life.end('tool', { [ATTR.toolCallResult]: '"museums"' })
    life.end('cycle')
    life.end('agent', { [ATTR.state]: 'completed' })
  }
  life.end('plan', { [ATTR.state]: 'completed', [ATTR.planSummary]: 'Booked.' })
  return life
}

/** A plan that is killed in a tool call, continues in a second segment, is suspended there, and ends in a third. */
export function resumedLife(options: PlanLifeOptions): PlanLife {
  const life = new PlanLife(options)
  const step = { [ATTR.stepIndex]: 0, [ATTR.stepId]: 'step-0' }
  const begin = (segment: number): void => {
    const above = segment === 0 ? undefined : `plan ${String(segment - 1)}`
    life.start(`plan ${String(segment)}`, 'plan', above, { [ATTR.planSegment]: segment, [ATTR.planTitle]: 'Rome' })
    life.start('agent', 'agent', `plan ${String(segment)}`, step)
    life.start('cycle', 'think_act', 'agent')
  }
  begin(0)
  life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'browse' })
  begin(1)
  const wait = { [ATTR.waitId]: 'wait-1', [ATTR.waitTitle]: 'Well?' }
  life.start('wait', 'wait', 'cycle', wait)
  for (const name of ['wait', 'cycle', 'agent']) life.end(name, { [ATTR.state]: 'waiting' })
  const suspended = life.end('plan 1', { [ATTR.state]: 'waiting' })
  life.adopt('plan 1', suspended)
  begin(2)
  life.start('wait', 'wait', 'cycle', wait)
  life.end('wait', { [ATTR.waitResolution]: 'approved' })
  life.end('cycle')
  life.end('agent', { [ATTR.state]: 'completed' })
  life.end('plan 2', { [ATTR.state]: 'completed' })
  return life
}
