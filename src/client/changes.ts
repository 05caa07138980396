import { type Connection, connections, type FeedOptions, type Frame } from './feed.js'
import type { PlanJson, SpanChangeJson, SpanJson } from '../wire/index.js'
import type { ListChangesQuery, PlaceQuery } from './query-types.js'
import { HEADERS } from './read-record.js'
import { pathOf, type RecordId, type RecordRoute, recordRequest } from './record-request.js'
import type { Transport } from './transport.js'

/** A live event of a list: a plan that exists, appears or changes; a plan that has left; the end of a batch. */
export type ListChange =
  | { readonly kind: 'plan'; readonly plan: PlanJson }
  | { readonly kind: 'gone'; readonly traceId: string; readonly planId: string }
  | { readonly kind: 'known' }

/** A live event of a plan's spans: a span that exists, appears or changes; the end of a batch, with its id. */
export type SpanChange<Span = SpanJson> =
  | { readonly kind: 'span'; readonly span: Span }
  | { readonly kind: 'known'; readonly id: string | undefined }

/** The same for spans without payloads, as in the structure. */
export type StructureChange = SpanChange<SpanChangeJson>

/** A live event of a plan: an event in ManusX's format, or a notice of spans that are not events. */
export type PlanEvent =
  | { readonly kind: 'event'; readonly id: string | undefined; readonly event: string; readonly data: EventData }
  | { readonly kind: 'changed' }

/** The data of an event in a stream. */
export type EventData = Readonly<Record<string, unknown>>

type PlanName = Pick<PlanJson, 'traceId' | 'planId'>

/** Yields the changes of a list. After a lost connection it yields only what has changed since. */
export async function* listChanges(
  transport: Transport,
  query: ListChangesQuery,
  options: FeedOptions,
): AsyncGenerator<ListChange, void, undefined> {
  const { signal } = options
  const held = new Map<string, { readonly data: string; readonly name: PlanName }>()
  const connect = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    transport.get(pathOf('GET /api/events'), { query, headers, signal, untimed: true })
  for await (const { frames } of connections(connect, { ...options, endpoint: transport.endpoint })) {
    // The first batch of a connection is the whole list.
    let listed: Set<string> | undefined = new Set()
    for await (const { event, data } of frames) {
      if (data === undefined) continue
      if (event === 'known') {
        for (const [key, { name }] of held) {
          if (listed?.has(key) ?? true) continue
          held.delete(key)
          yield { kind: 'gone', ...name }
        }
        listed = undefined
        yield { kind: 'known' }
        continue
      }
      const value = JSON.parse(data) as PlanJson
      const name = { traceId: value.traceId, planId: value.planId }
      const key = JSON.stringify(name)
      if (event === 'gone' && held.delete(key)) yield { kind: 'gone', ...name }
      if (event !== 'plan') continue
      listed?.add(key)
      if (held.get(key)?.data === data) continue
      held.set(key, { data, name })
      yield { kind: 'plan', plan: value }
    }
  }
}

export interface OfPlan<Query> {
  readonly id: RecordId
  readonly query: Query
}

/** Yields the spans of a plan, live, until the plan is over. */
export async function* spanChanges<Span>(
  transport: Transport,
  plan: OfPlan<PlaceQuery & { readonly fields?: 'structure' }>,
  options: FeedOptions,
): AsyncGenerator<SpanChange<Span>, void, undefined> {
  for await (const { frames } of planConnections(transport, 'GET /api/records/{id}/spans/events', { plan, options })) {
    for await (const { id, event, data } of frames) {
      if (event === 'known') yield { kind: 'known', id }
      else if (event === 'span' && data !== undefined) yield { kind: 'span', span: JSON.parse(data) as Span }
    }
  }
}

/** Yields a plan's events, live, until it is over or interrupted; returns its state, undefined if the signal aborts. */
export async function* planEvents(
  transport: Transport,
  plan: OfPlan<PlaceQuery>,
  options: FeedOptions,
): AsyncGenerator<PlanEvent, string | undefined, undefined> {
  let state: string | undefined
  for await (const one of planConnections(transport, 'GET /api/records/{id}/events', { plan, options })) {
    const { response, frames, isResumed } = one
    state = response.headers.get(HEADERS.state) ?? undefined
    if (isResumed && state === 'interrupted') {
      await response.body?.cancel()
      return state
    }
    // The events of an imported record end without such a frame.
    let isLive = false
    for await (const frame of frames) {
      isLive ||= frame.retry !== undefined
      const told = eventOf(frame)
      if (told) yield told
    }
    if (!isLive && !options.signal?.aborted) return state
  }
  return options.signal?.aborted ? undefined : state
}

function eventOf({ id, event, data, comment }: Frame): PlanEvent | undefined {
  if (data !== undefined) return { kind: 'event', id, event, data: JSON.parse(data) as EventData }
  return comment === 'changed' ? { kind: 'changed' } : undefined
}

function planConnections(
  transport: Transport,
  route: RecordRoute,
  { plan: { id, query }, options }: { readonly plan: OfPlan<PlaceQuery>; readonly options: FeedOptions },
): AsyncGenerator<Connection, void, undefined> {
  const { signal } = options
  const connect = (headers: Readonly<Record<string, string>>): Promise<Response> =>
    transport.get(...recordRequest(route, id, { query, headers, signal, untimed: true }))
  return connections(connect, { ...options, endpoint: transport.endpoint })
}
