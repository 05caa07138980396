import {
  trace,
  type Attributes,
  type AttributeValue,
  type Context,
  type HrTime,
  type Link,
  type SpanContext,
} from '@opentelemetry/api'
import { ATTR, type Role, type State } from '../semconv/index.js'
import { countDrop, warnOnce } from './drops.js'
import type { SpanHandle } from './handles/span-handle.js'
import type { LiveFields } from './live-fields.js'
import { countUnknownOptions } from './option-names.js'
import type { PlanRun } from './plan-run.js'
import { readOption } from './read-option.js'
import { activeContext, scopeOf, withScope } from './scope.js'
import { ROLE_NAMES } from './role-names.js'
import { SpanWriter } from './span-writer.js'

/** The start of a span; every span except a plan's shares its parent's run. */
export type LiveSpanStart = StartOptions &
  (
    | { readonly parent: LiveSpan; readonly run?: undefined }
    | { readonly parent: LiveSpan | undefined; readonly run: PlanRun }
  )

interface StartOptions {
  readonly role: Role
  readonly fields: LiveFields
  /** @default the active context if it belongs to the parent, else the parent's */
  readonly parentContext?: Context
  /** The low-cardinality part of the name. */
  readonly subject?: string | undefined
  /** The field that holds the subject. */
  readonly subjectField?: string
  /** The user's values. */
  readonly options?: unknown
  /** Field values in addition to the options. */
  readonly values?: Readonly<Record<string, unknown>>
  readonly links?: Link[] | undefined
  /** @default now, by the clock of the run */
  readonly startTime?: HrTime | undefined
}

/** The roles whose spans always have a state attribute. */
const STATEFUL: ReadonlySet<Role> = new Set<Role>(['plan', 'agent', 'think_act', 'wait'])
/** The final states that the span's status already expresses. */
const EXPRESSED_BY_STATUS: ReadonlySet<State> = new Set<State>(['completed', 'failed'])

/** The base of all spans of the live API. Users see only the methods of their handle. */
export abstract class LiveSpan implements SpanHandle {
  protected readonly run: PlanRun
  protected readonly startTime: HrTime
  /** The span's position among its siblings of the same role, from 0. */
  protected readonly place: number
  protected state: State = 'completed'
  /** Whether a result was recorded, or none is wanted. */
  protected hasResult: boolean
  readonly #agentName: string | undefined
  readonly #role: Role
  readonly #parent: LiveSpan | undefined
  readonly #parentContext: Context
  readonly #writer: SpanWriter
  #children: Map<Role, number> | undefined
  #standing: State | undefined
  #context: Context | undefined
  #openWaits = 0
  #ended = false
  #isEndCalled = false
  #suspended = false

  protected constructor(start: LiveSpanStart) {
    const { role, parent } = start
    const run = start.run ?? start.parent.run
    const parentContext = start.parentContext ?? contextBelow(parent)
    const startTime = start.startTime ?? run.clock.now()
    const seq = parent === undefined ? undefined : parent.#adopt(role)
    this.run = run
    this.startTime = startTime
    this.place = seq ?? 0
    this.hasResult = readOption(start.options as { captureReturn?: unknown } | undefined, 'captureReturn') === false
    this.#role = role
    this.#parent = parent
    this.#parentContext = parentContext
    const { fields, subject, subjectField, links } = start
    const agentName = role === 'agent' ? subject : role === 'plan' || !parent ? undefined : parent.#agentName
    this.#agentName = agentName
    this.#writer = new SpanWriter(
      { run, role, fields, parentContext, seq, agentName, subject, subjectField, links, startTime },
      () => this.describe(),
    )
    if (this.#writer.isRecording) this.run.open.started(this)
    this.write(start.options, subject === undefined ? undefined : subjectField)
    this.write(start.values)
  }

  get context(): Context {
    this.#context ??= withScope(trace.setSpan(this.#parentContext, this.#writer.span), {
      span: this,
      role: this.#role,
      run: this.run,
    })
    return this.#context
  }

  error(error: unknown): void {
    if (this.#closed('error()')) return
    this.state = 'failed'
    this.#writer.error(error, this.run.clock.now())
  }

  /** Records an error whose event has field values instead of the error's own. */
  recordError(error: unknown, values: object, fields: LiveFields): void {
    if (this.#closed('an error')) return
    this.state = 'failed'
    this.#writer.error(error, this.run.clock.now(), this.#writer.eventAttributes(values, fields))
  }

  /** Adds an event with field values by their names. */
  recordEvent(name: string, values: object, fields: LiveFields): void {
    if (!this.#closed(name)) this.event(name, this.#writer.eventAttributes(values, fields))
  }

  end(): void {
    if (this.#ended && this.#isEndCalled) {
      warnOnce(
        'end()',
        () => `planspan: end() was called twice on ${ROLE_NAMES[this.#role]}; the first call ended it. Logged once.`,
      )
    }
    this.#isEndCalled = true
    this.#finish()
  }

  #finish(): void {
    if (this.#ended) return
    if (this.#writer.isRecording) {
      this.ending()
      if (STATEFUL.has(this.#role) || !EXPRESSED_BY_STATUS.has(this.state)) this.put(ATTR.state, this.state)
      if (this.#children) for (const [role, count] of this.#children) this.put(ATTR.childrenPrefix + role, count)
    }
    this.#ended = true
    this.run.open.ended(this)
    this.#writer.end(this.run.clock.now())
  }

  /** Ends the span as interrupted, because the process is about to end. */
  interrupt(): void {
    if (this.#ended) return
    this.state = 'interrupted'
    this.#finish()
  }

  /** Ends the span of a callback. What it returned is recorded as the result, unless there is one. */
  returned(value: unknown): void {
    if (value !== undefined && !this.hasResult && !this.#ended) this.recordReturned(value)
    this.#finish()
  }

  /** Records what a callback returned; only plans, agents and tool calls have results. */
  protected recordReturned(_value: unknown): void {}

  fail(error: unknown): void {
    this.#isEndCalled = true
    this.error(error)
    this.#finish()
  }

  cancel(): void {
    if (!this.#closed('cancel()')) this.state = 'cancelled'
  }

  /** Sets the state of the open span. @default derived from the open spans below it */
  stand(state: State): void {
    this.#standing = state
    this.changed()
  }

  /** Writes the role's last values, just before the span ends. */
  protected ending(): void {}

  /** Writes field values by their names in the role's field table. */
  write(values: unknown, except?: string, fields?: LiveFields): void {
    if (!this.#writer.isRecording || typeof values !== 'object' || values === null || this.#closed('set()')) return
    this.#writer.write(values, except, fields)
  }

  /** Counts values of the user that could not be recorded. */
  protected omit(count: number): void {
    this.#writer.omit(count)
  }

  /** Counts the values whose names `subject` does not have. */
  protected check(subject: string, given: unknown, known: ReadonlySet<string>): void {
    if (this.#writer.isRecording && !this.#ended) this.omit(countUnknownOptions(subject, given, known))
  }

  protected put(key: string, value: AttributeValue): void {
    this.#writer.put(key, value)
  }

  protected event(name: string, attributes: Attributes): void {
    if (this.#writer.isRecording && !this.#closed(name)) this.#writer.event(name, attributes, this.run.clock.now())
  }

  /** Adds an event to the parent span, or to this span if the parent has ended. */
  protected eventAbove(name: string, attributes: Attributes): void {
    const above = this.#parent
    if (above && !above.#ended && !this.#ended) above.event(name, attributes)
    else this.event(name, attributes)
  }

  protected get spanContext(): SpanContext {
    return this.#writer.spanContext
  }

  /** A link to this span. */
  protected linkTo(type: string): Link {
    return { context: this.spanContext, attributes: { [ATTR.linkType]: type } }
  }

  /** Content for an event: text as it is, any other value as JSON; undefined if that fails or content is left out. */
  protected contentText(key: string, value: unknown): string | undefined {
    return this.#writer.contentText(key, value)
  }

  protected get ended(): boolean {
    return this.#ended
  }

  protected childCount(role: Role): number {
    return this.#children?.get(role) ?? 0
  }

  /** The state attributes that an open span shows in addition to its own. */
  protected describe(): Attributes {
    return {
      ...(STATEFUL.has(this.#role) && { [ATTR.state]: this.#standing ?? this.openState }),
      ...this.#writer.omitted,
    }
  }

  /** Notifies the watchers that the open span has changed. */
  protected changed(): void {
    this.#writer.changed()
  }

  /** The state of the open span. */
  protected get openState(): State {
    return this.isWaiting ? 'waiting' : 'running'
  }

  /** Whether this span or one below it waits for a person. */
  protected get isWaiting(): boolean {
    return this.#openWaits > 0
  }

  /** Counts a wait that begins or ends here or below. A wait in a sub-plan also blocks the plans above it. */
  protected countWait(change: 1 | -1): void {
    this.#openWaits += change
    this.changed()
    this.#parent?.countWait(change)
  }

  /** Ends the span and all above it as waiting; further calls on them do nothing. */
  protected suspendWithParents(): void {
    if (!this.#ended) {
      this.state = 'waiting'
      this.#suspended = true
      this.#finish()
    }
    this.#parent?.suspendWithParents()
  }

  /** Counts a child of a role and returns its position among them, from 0. */
  #adopt(role: Role): number {
    const place = this.childCount(role)
    this.#children ??= new Map()
    this.#children.set(role, place + 1)
    return place
  }

  #closed(what: string): boolean {
    if (this.#ended && !this.#suspended) countDrop('ended', what)
    return this.#ended
  }
}

/** Returns the active context if it belongs to the parent, which keeps other spans in between; else the parent's. */
function contextBelow(parent: LiveSpan | undefined): Context {
  const active = activeContext()
  return !parent || scopeOf(active)?.span === parent ? active : parent.context
}
