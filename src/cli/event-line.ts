import type { FeedItem } from './event-feed.js'
import { oneLine, styled } from './terminal.js'
import { styledState } from './state-style.js'

type PlanActEvent = Extract<FeedItem, { kind: 'event' }>

const MAX_TEXT = 200

/** An event of a plan on one line: when, what, and what about. */
export function eventLine({ event, data }: PlanActEvent): string {
  const parts = [styled('dim', timeOf(data)), styled('bold', event), ...about(event, data)]
  return parts.filter((part) => part !== '').join('  ')
}

function about(event: string, data: PlanActEvent['data']): string[] {
  const text = (key: string): string => textOf(data[key])
  const status = styledState(text('status'))
  if (event === 'step') return [text('id'), status, text('description')]
  if (event === 'tool') return [text('function'), status, text(data['status'] === 'called' ? 'content' : 'args')]
  if (event === 'plan') return [stepsOf(data['steps'])]
  if (event === 'message') return [text('role'), text('content')]
  return [text(event)]
}

/** The id of an event begins with its time in milliseconds; the timestamp has whole seconds alone. */
function timeOf({ event_id: id, timestamp }: PlanActEvent['data']): string {
  const milliseconds = Number(/^\d{13}(?=-)/.exec(String(id))?.[0] ?? Number(timestamp) * 1000)
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : ''
}

function stepsOf(steps: unknown): string {
  if (!Array.isArray(steps)) return ''
  const texts = (steps as { description?: unknown; status?: unknown }[]).map(
    ({ description, status }) => `${textOf(description)} (${textOf(status)})`,
  )
  return oneLine(texts.join(', '), MAX_TEXT)
}

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : oneLine(typeof value === 'string' ? value : JSON.stringify(value), MAX_TEXT)
