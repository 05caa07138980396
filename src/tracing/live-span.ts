import {
  INVALID_SPAN_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type AttributeValue,
  type Context,
  type Link,
  type Span,
  type SpanOptions,
  type SpanStatus,
} from '@opentelemetry/api'
import { toWellFormed } from '../mapping/codec.js'
import { ATTR, EVENTS, spanName, type Role, type State } from '../semconv/index.js'
import { contentCaptured } from './content-capture.js'
import { describeError } from './describe-error.js'
import { countDrop } from './drops.js'
import { encodeText, type LiveField, type LiveFields } from './live-fields.js'
import { Omissions } from './omissions.js'
import type { PlanRun } from './plan-run.js'
import { activeContext, scopeOf, withScope } from './scope.js'

/** What a span is started with; all but a plan share their parent's run. */
export type LiveSpanStart = StartOptions &
  (
    | { readonly parent: LiveSpan; readonly run?: undefined }
    | { readonly parent: LiveSpan | undefined; readonly run: PlanRun }
  )

interface StartOptions {
  readonly role: Role
  readonly fields: LiveFields
  /** @default the active context where it belongs to the parent, else the parent's */
  readonly parentContext?: Context
  /** The low-cardinality part of the name. */
  readonly subject?: string | undefined
  /** The field that holds the subject. */
  readonly subjectField?: string
  /** What the user gave; names that are no field of the role are passed over. */
  readonly options?: unknown
  /** Field values beside the options. */
  readonly values?: Readonly<Record<string, unknown>>
  readonly links?: Link[] | undefined
}

const CHILDREN_KEYS = new Map<Role, string>()
const STATEFUL: ReadonlySet<Role> = new Set<Role>(['plan', 'agent', 'think_act', 'wait'])

/** A running span of a plan. None of its methods throws, whatever it is given and whenever it is called. */
export abstract class LiveSpan {
  protected readonly run: PlanRun
  protected state: State = 'completed'
  readonly #span: Span
  readonly #role: Role
  readonly #fields: LiveFields
  readonly #parentContext: Context
  readonly #omissions = new Omissions()
  readonly #recording: boolean
  readonly #content = contentCaptured()
  #children: Map<Role, number> | undefined
  #context: Context | undefined
  #ended = false

  protected constructor(start: LiveSpanStart) {
    const { role, parent } = start
    this.run = start.run ?? start.parent.run
    this.#role = role
    this.#fields = start.fields
    this.#parentContext = start.parentContext ?? contextBelow(parent)
    this.#span = this.#start(start, parent === undefined ? undefined : parent.#adopt(role))
    this.#recording = this.#isRecording()
    if (this.#recording) this.run.open.started(this)
    this.write(start.options, start.subject === undefined ? undefined : start.subjectField)
    this.write(start.values)
  }

  /** The OpenTelemetry context of this span, for `context.with` and as the parent of other instrumentation. */
  get context(): Context {
    this.#context ??= withScope(trace.setSpan(this.#parentContext, this.#span), { span: this, run: this.run })
    return this.#context
  }

  /** Records an error on the span: ERROR status, `error.type`, exception event. The span goes on. */
  error(error: unknown): void {
    if (this.#closed('error()')) return
    this.state = 'failed'
    const { type, message, stacktrace } = describeError(error)
    this.put(ATTR.errorType, type)
    const attributes: Attributes = { [ATTR.exceptionType]: type }
    const status: SpanStatus = { code: SpanStatusCode.ERROR }
    if (message !== undefined && this.#content) {
      this.put(ATTR.errorMessage, message)
      attributes[ATTR.exceptionMessage] = message
      status.message = message
    } else if (message !== undefined) this.#omissions.redact(ATTR.errorMessage)
    if (stacktrace !== undefined && this.#content) attributes[ATTR.exceptionStacktrace] = stacktrace
    this.event(EVENTS.exception, attributes)
    this.#guard(() => this.#span.setStatus(status))
  }

  /** Ends the span; further calls do nothing. */
  end(): void {
    if (this.#ended) return
    if (this.#recording) {
      this.ending()
      if (STATEFUL.has(this.#role)) this.put(ATTR.state, this.state)
      if (this.#children) for (const [role, count] of this.#children) this.put(childrenKey(role), count)
      const left = this.#omissions.attributes()
      if (left) this.#guard(() => this.#span.setAttributes(left))
    }
    this.#ended = true
    this.run.open.ended(this)
    try {
      this.#span.end(this.run.clock.now())
    } catch {
      countDrop('tracer', 'the end of a span')
    }
  }

  /** Ends the span as interrupted: the process is about to be ended. */
  interrupt(): void {
    this.state = 'interrupted'
    this.end()
  }

  /** Ends the span of a callback; a tool call keeps what the callback returned. */
  returned(_value: unknown): void {
    this.end()
  }

  /** Records an error and ends the span. */
  fail(error: unknown): void {
    if (this.#ended) return
    this.error(error)
    this.end()
  }

  /** Marks what the span stands for as cancelled, which is no error; the span goes on. */
  cancel(): void {
    if (!this.#closed('cancel()')) this.state = 'cancelled'
  }

  /** What a role writes just before its span ends. */
  protected ending(): void {}

  /** Writes field values by their names in the role's field table. */
  protected write(values: unknown, except?: string): void {
    if (!this.#recording || typeof values !== 'object' || values === null || this.#closed('set()')) return
    try {
      for (const name in values) {
        if (name === except) continue
        const field = this.#fields.get(name)
        if (field) this.#writeField(field, (values as Record<string, unknown>)[name])
      }
    } catch {
      this.#omissions.drop('value', 'values that could not be read')
    }
  }

  protected put(key: string, value: AttributeValue): void {
    if (!this.#recording) return
    try {
      this.#span.setAttribute(key, value)
    } catch {
      this.#omissions.drop('tracer', key)
    }
  }

  protected event(name: string, attributes: Attributes): void {
    if (this.#recording && !this.#closed(name))
      this.#guard(() => this.#span.addEvent(name, attributes, this.run.clock.now()))
  }

  /** A link to this span. */
  protected linkTo(type: string): Link | undefined {
    const context = this.#guard(() => this.#span.spanContext())
    return context && { context, attributes: { [ATTR.linkType]: type } }
  }

  /** Content for an event: text as it is, else its JSON text; undefined when it can't be carried or is left out. */
  protected contentText(key: string, value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined
    if (this.#content) return encodeText(key, value, this.#omissions)
    this.#omissions.redact(key)
    return undefined
  }

  protected get ended(): boolean {
    return this.#ended
  }

  protected childCount(role: Role): number {
    return this.#children?.get(role) ?? 0
  }

  /** Counts a child of a role and answers its place among them, from 0. */
  #adopt(role: Role): number {
    const place = this.childCount(role)
    this.#children ??= new Map()
    this.#children.set(role, place + 1)
    return place
  }

  #writeField({ key, content, encode }: LiveField, value: unknown): void {
    if (value === undefined || value === null) return
    if (content && !this.#content) {
      this.#omissions.redact(key)
      return
    }
    const attribute = encode(value, this.#omissions)
    if (attribute !== undefined) this.put(key, attribute as AttributeValue)
  }

  // Samplers and processors see what is given at the start: what the span is, whose, and where. The SDK copies each
  // attribute three times on this way, so the rest is set afterwards.
  #start(start: LiveSpanStart, seq: number | undefined): Span {
    const { role, subjectField, links } = start
    const subject = start.subject === undefined ? undefined : toWellFormed(start.subject)
    const attributes: Attributes = { ...this.run.startAttributes(role) }
    if (seq !== undefined) attributes[ATTR.seq] = seq
    const subjectKey = subjectField === undefined ? undefined : this.#fields.get(subjectField)?.key
    if (subject !== undefined && subjectKey !== undefined) attributes[subjectKey] = subject
    const kind = role === 'llm' ? SpanKind.CLIENT : SpanKind.INTERNAL
    const options: SpanOptions = { kind, attributes, startTime: this.run.clock.now() }
    if (links) options.links = links
    const name = spanName(role, subject)
    try {
      return this.run.tracer.startSpan(name, options, this.#parentContext)
    } catch {
      countDrop('tracer', `the span ${name}`)
      return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    }
  }

  #isRecording(): boolean {
    try {
      return this.#span.isRecording()
    } catch {
      return false
    }
  }

  #closed(what: string): boolean {
    if (this.#ended) countDrop('ended', what)
    return this.#ended
  }

  #guard<T>(call: () => T): T | undefined {
    try {
      return call()
    } catch {
      this.#omissions.drop('tracer', 'a call to the span')
      return undefined
    }
  }
}

/** The active context where it belongs to the parent, so that foreign spans between stay between; else the parent's. */
function contextBelow(parent: LiveSpan | undefined): Context {
  const active = activeContext()
  return !parent || scopeOf(active)?.span === parent ? active : parent.context
}

function childrenKey(role: Role): string {
  let key = CHILDREN_KEYS.get(role)
  if (key === undefined) CHILDREN_KEYS.set(role, (key = ATTR.childrenPrefix + role))
  return key
}
