import type { Link, SpanContext, TraceState } from '@opentelemetry/api'
import { append } from '../../base/append.js'
import type { ResourceLike, SpanLike, TimedEventLike } from '../sdk-types.js'
import { redactedFields, type Redactor } from '../../redaction/index.js'
import { ATTR } from '../../semconv/index.js'

/**
 * Returns a copy with secrets masked and the masked attributes listed, or the span itself without secrets. Never
 * throws.
 */
export function redactSpan(redactor: Redactor, span: SpanLike): SpanLike {
  const keys: string[] = []
  const name = redactor.text(span.name)
  const message = span.status.message === undefined ? undefined : redactor.text(span.status.message)
  const resource = redactResource(redactor, span.resource)
  const events = redactEach(span.events, (event) => redactEvent(redactor, event, keys))
  const links = redactEach(span.links, (link) => redactLink(redactor, link, keys))
  const own = redactor.attributes(span.attributes)
  if (name !== span.name) keys.push(NAME)
  if (message !== span.status.message) keys.push(STATUS_MESSAGE)
  if (own) append(keys, own.keys)
  const scope = redactScope(redactor, span.instrumentationScope)
  const context = redactContext(redactor, span.spanContext(), keys)
  if (keys.length === 0 && resource === span.resource && scope === span.instrumentationScope) return span

  const attributes = own?.attributes ?? span.attributes
  return withOwn(span, {
    name,
    resource,
    ...(scope !== span.instrumentationScope && { instrumentationScope: scope }),
    ...(context && { spanContext: () => context }),
    events,
    links,
    ...(message !== span.status.message && { status: { ...span.status, ...(message !== undefined && { message }) } }),
    attributes:
      keys.length === 0
        ? attributes
        : { ...attributes, [ATTR.redactedFields]: redactedFields(attributes[ATTR.redactedFields], keys) },
  })
}

type Scope = SpanLike['instrumentationScope']

const NAME = 'name'
const STATUS_MESSAGE = 'status.message'

function redactEvent(redactor: Redactor, event: TimedEventLike, keys: string[]): TimedEventLike {
  const name = redactor.text(event.name)
  const masked = event.attributes && redactor.attributes(event.attributes)
  if (name !== event.name) keys.push(NAME)
  if (masked) append(keys, masked.keys)
  if (!masked && name === event.name) return event
  return { ...event, name, ...(masked && { attributes: masked.attributes }) }
}

function redactLink(redactor: Redactor, link: Link, keys: string[]): Link {
  const masked = link.attributes && redactor.attributes(link.attributes)
  const context = redactContext(redactor, link.context, keys)
  if (!masked && !context) return link
  append(keys, masked?.keys ?? [])
  return { ...link, ...(context && { context }), ...(masked && { attributes: masked.attributes }) }
}

/** A copy of a context whose trace state is masked; undefined if it contains no secret. */
function redactContext(redactor: Redactor, context: SpanContext, keys: string[]): SpanContext | undefined {
  const state = context.traceState?.serialize()
  if (!state) return undefined
  const masked = redactor.text(state)
  if (masked === state) return undefined
  keys.push('traceState')
  const traceState: TraceState = {
    get: () => undefined,
    set: () => traceState,
    unset: () => traceState,
    serialize: () => masked,
  }
  return { ...context, traceState }
}

// Exporters group spans by the identity of their scope, too.
const maskedScopes = new WeakMap<Redactor, WeakMap<Scope, Scope>>()

function redactScope(redactor: Redactor, scope: Scope): Scope {
  let known = maskedScopes.get(redactor)
  if (!known) maskedScopes.set(redactor, (known = new WeakMap()))
  const before = known.get(scope)
  if (before) return before
  const name = redactor.text(scope.name)
  const version = scope.version && redactor.text(scope.version)
  const isSame = name === scope.name && version === scope.version
  const masked = isSame ? scope : { ...scope, name, ...(version !== undefined && { version }) }
  known.set(scope, masked)
  return masked
}

function redactEach<Item>(items: Item[], redact: (item: Item) => Item): Item[] {
  if (items.length === 0) return items
  const masked = items.map(redact)
  return masked.every((item, index) => item === items[index]) ? items : masked
}

// Exporters group spans by the identity of their resource, so each resource has one masked copy.
const maskedResources = new WeakMap<Redactor, WeakMap<ResourceLike, ResourceLike>>()

function redactResource(redactor: Redactor, resource: ResourceLike): ResourceLike {
  let known = maskedResources.get(redactor)
  if (!known) maskedResources.set(redactor, (known = new WeakMap()))
  const before = known.get(resource)
  if (before) return before
  const masked = redactor.attributes(resource.attributes)
  const copy = masked ? withOwn(resource, { attributes: masked.attributes }) : resource
  if (!resource.asyncAttributesPending) known.set(resource, copy)
  return copy
}

/** A copy that keeps the prototype with its getters; spreading a span would lose them. */
function withOwn<T extends object>(original: T, own: Partial<T>): T {
  const descriptors = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, { value: value as unknown, enumerable: true }]),
  )
  return Object.create(original, descriptors) as T
}
