import {
  INVALID_SPAN_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type AttributeValue,
  type Context,
  type HrTime,
  type Link,
  type Span,
  type SpanContext,
  type SpanOptions,
  type SpanStatus,
} from '@opentelemetry/api'
import { ATTR, EVENTS, spanName, type Role } from '../semconv/index.js'
import { contentCaptured } from './content-capture.js'
import { describeError } from './describe-error.js'
import { countDrop } from './drops.js'
import { encodeText, type LiveField, type LiveFields } from './live-fields.js'
import { Omissions } from './omissions.js'
import { watchOf, type SpanWatch } from './pending/span-watch.js'
import type { PlanRun } from './plan-run.js'
import { ROLE_NAMES } from './role-names.js'
import type { SpanLike } from './sdk-types.js'

/** The start of a span. */
export interface SpanWriterStart {
  readonly run: PlanRun
  readonly role: Role
  readonly fields: LiveFields
  readonly parentContext: Context
  /** The span's position among its siblings of the same role. */
  readonly seq: number | undefined
  /** The name of the agent. */
  readonly agentName: string | undefined
  /** The low-cardinality part of the name. */
  readonly subject: string | undefined
  /** The field that holds the subject. */
  readonly subjectField: string | undefined
  readonly links: Link[] | undefined
  readonly startTime: HrTime
}

/** Writes one span of the user's SDK. Never throws; values that cannot be written are counted. */
export class SpanWriter {
  readonly span: Span
  readonly isRecording: boolean
  readonly #role: Role
  readonly #fields: LiveFields
  readonly #subjectKey: string | undefined
  readonly #omissions = new Omissions()
  readonly #content = contentCaptured()
  readonly #watch: SpanWatch | undefined

  constructor(start: SpanWriterStart, describe: () => Attributes) {
    this.#role = start.role
    this.#fields = start.fields
    this.#subjectKey = subjectKeyOf(start)
    this.span = startSpan(start)
    this.isRecording = isRecording(this.span)
    this.#watch = this.isRecording ? watchOf(this.span) : undefined
    if (this.#watch) this.#watch.describe = describe
  }

  /** The ids of the span; all zeros without an SDK. */
  get spanContext(): SpanContext {
    return this.guard(() => this.span.spanContext()) ?? INVALID_SPAN_CONTEXT
  }

  /** The attributes that describe what was left out; undefined if nothing was. */
  get omitted(): Attributes | undefined {
    return this.#omissions.attributes()
  }

  /** Writes field values by their names in a field table. @default the role's table */
  write(values: object, except?: string, fields: LiveFields = this.#fields): void {
    this.#encode(values, fields, (key, value) => this.put(key, value), except)
  }

  /** Returns the attributes of an event for field values by their names. */
  eventAttributes(values: object, fields: LiveFields): Attributes {
    const attributes: Attributes = {}
    this.#encode(values, fields, (key, value) => (attributes[key] = value))
    return attributes
  }

  put(key: string, value: AttributeValue): void {
    if (!this.isRecording) return
    try {
      this.span.setAttribute(key, value)
      if (key === this.#subjectKey) this.span.updateName(spanName(this.#role, String(value)))
      const kept = (this.span as Partial<SpanLike>).attributes?.[key]
      if (kept !== undefined && charsOf(kept) < charsOf(value)) this.#omissions.drop('limit', `the end of ${key}`)
    } catch {
      this.#omissions.drop('tracer', key)
    }
    this.changed()
  }

  event(name: string, attributes: Attributes, time: HrTime): void {
    if (!this.isRecording) return
    this.guard(() => this.span.addEvent(name, attributes, time))
    this.changed()
  }

  /** Sets the ERROR status and `error.type`, and adds an exception event. @default with the error's own attributes */
  error(error: unknown, time: HrTime, recorded?: Attributes): void {
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
    this.guard(() => this.span.setStatus(status))
    this.event(EVENTS.exception, recorded ?? attributes, time)
  }

  /** Content for an event: text as it is, any other value as JSON; undefined if that fails or content is left out. */
  contentText(key: string, value: unknown): string | undefined {
    if (value === undefined || value === null) return undefined
    if (this.#content) return encodeText(key, value, this.#omissions)
    this.#omissions.redact(key)
    return undefined
  }

  /** Counts values that are already counted for the process. */
  omit(count: number): void {
    this.#omissions.cut(count)
  }

  end(time: HrTime): void {
    if (this.isRecording) this.guard(() => this.#writeOmissions())
    try {
      this.span.end(time)
    } catch {
      countDrop('tracer', 'the end of a span')
    }
  }

  /** Notifies the watchers that the open span has changed. */
  changed(): void {
    this.#watch?.changed()
  }

  guard<T>(call: () => T): T | undefined {
    try {
      return call()
    } catch {
      this.#omissions.drop('tracer', 'a call to the span')
      return undefined
    }
  }

  #writeOmissions(): void {
    const { droppedAttributesCount = 0, droppedEventsCount = 0, droppedLinksCount = 0 } = this.span as Partial<SpanLike>
    this.#omissions.cut(droppedAttributesCount + droppedEventsCount + droppedLinksCount)
    if (this.omitted) this.span.setAttributes(this.omitted)
  }

  #encode(
    values: object,
    fields: LiveFields,
    put: (key: string, value: AttributeValue) => void,
    except?: string,
  ): void {
    try {
      for (const name in values) {
        if (name === except) continue
        const field = fields.get(name)
        const value = (values as Record<string, unknown>)[name]
        if (value === undefined || value === null) continue
        if (field) this.#encodeField(field, value, put)
        else if (!fields.has(name)) this.#omissions.unknown(ROLE_NAMES[this.#role], name, fields)
      }
    } catch {
      this.#omissions.drop('value', 'values that could not be read')
    }
  }

  #encodeField(
    { key, content, encode }: LiveField,
    value: unknown,
    put: (key: string, value: AttributeValue) => void,
  ): void {
    if (content && !this.#content) {
      this.#omissions.redact(key)
      return
    }
    const attribute = encode(value, this.#omissions)
    if (attribute !== undefined) put(key, attribute as AttributeValue)
  }
}

/** The number of characters in a value's text. */
function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return Array.isArray(value) ? value.reduce<number>((chars, item) => chars + charsOf(item), 0) : 0
}

function isRecording(span: Span): boolean {
  try {
    return span.isRecording()
  } catch {
    return false
  }
}

const subjectKeyOf = ({ fields, subjectField }: SpanWriterStart): string | undefined =>
  subjectField === undefined ? undefined : fields.get(subjectField)?.key

// Samplers and processors see only the attributes given at the start: the span's role, plan and position. The SDK
// copies each of these attributes three times, so all others are set afterwards.
function startSpan(start: SpanWriterStart): Span {
  const { run, role, seq, agentName, subject, links, startTime, parentContext } = start
  const attributes: Attributes = { ...run.startAttributes(role) }
  if (seq !== undefined) attributes[ATTR.seq] = seq
  if (agentName !== undefined) attributes[ATTR.agentName] = agentName
  const subjectKey = subjectKeyOf(start)
  if (subject !== undefined && subjectKey !== undefined) attributes[subjectKey] = subject
  const kind = role === 'llm' ? SpanKind.CLIENT : SpanKind.INTERNAL
  const options: SpanOptions = { kind, attributes, startTime }
  if (links) options.links = links
  const name = spanName(role, subject)
  try {
    return run.tracer.startSpan(name, options, parentContext)
  } catch {
    countDrop('tracer', `the span ${name}`)
    return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
  }
}
