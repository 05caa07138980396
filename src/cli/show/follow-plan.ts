import process from 'node:process'

import type { Client, PlanEvent } from '../../client/index.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { spanTree } from './span-tree.js'
import { stopSignal } from '../stop-signal.js'
import { isTerminal, note, print, styled, styledState, terminalWidth } from '../output/terminal.js'
import { oneLine } from '../output/text-layout.js'
import { followView } from './follow-view.js'
import { Screen, Throttle } from './screen.js'

export interface FollowOptions {
  readonly client: Client
  readonly id: string
  /** Selects one of the records that share the id. */
  readonly choice: { readonly source: string | undefined; readonly trace: string | undefined }
  /** The length of the spans' texts in the tree at the end. */
  readonly details: 'cut' | 'full'
  /** Whether events are written as JSON, even on a terminal. */
  readonly json: boolean
}

const TICK_MS = 1_000

/**
 * Follows a plan until it is over or the user stops: on a terminal it redraws the plan's tree, otherwise it prints one
 * line per event. Returns exit code 0 if the plan was completed.
 */
export async function follow(options: FollowOptions): Promise<ExitCode> {
  const stop = new AbortController()
  void stopSignal().then(() => stop.abort())
  // The reader of the pipe, such as `head`, has closed it.
  process.stdout.once('error', () => stop.abort())
  const feed = options.client.events(options.id, options.choice, { signal: stop.signal })
  const state = await (isTerminal() && !options.json ? drawTree(feed, options) : printLines(feed, options))
  if (stop.signal.aborted) return EXIT.done
  note(`${options.id} is ${state ?? 'over'}.`)
  return state === 'completed' ? EXIT.done : EXIT.different
}

type Feed = ReturnType<Client['events']>

async function printLines(feed: Feed, { json }: FollowOptions): Promise<string | undefined> {
  return forEach(feed, (item) => {
    if (item.kind !== 'event') return
    const { event, data } = item
    print(json ? JSON.stringify({ event, data }) : eventLine(item))
  })
}

async function drawTree(feed: Feed, { client, id, choice, details }: FollowOptions): Promise<string | undefined> {
  let spans: Awaited<ReturnType<typeof client.spans>> = []
  const draw = () => screen.draw(followView({ id, spans, rows: screen.rows, now: Date.now() }))
  const screen = new Screen(draw)
  const read = async () => {
    spans = await client.spans(id, choice)
  }
  const reading = new Throttle(async () => {
    await read()
    draw()
  })
  const ticking = setInterval(draw, TICK_MS)
  try {
    await read()
    screen.enter()
    draw()
    return await forEach(feed, () => reading.request())
  } finally {
    clearInterval(ticking)
    await reading.end()
    screen.leave()
    for (const line of spanTree(spans, id, { width: terminalWidth(), details })) print(line)
  }
}

/** Calls `take` with each item of a feed, and returns the feed's final state. */
async function forEach(feed: Feed, take: (item: PlanEvent) => void): Promise<string | undefined> {
  for (;;) {
    const { done, value } = await feed.next()
    if (done) return value
    take(value)
  }
}

type PlanActEvent = Extract<PlanEvent, { kind: 'event' }>

const MAX_TEXT = 200

/** Formats an event of a plan on one line: its time, name and content. */
function eventLine({ event, data }: PlanActEvent): string {
  const parts = [styled('dim', timeOf(data)), styled('bold', event), ...about(event, data)]
  return parts.filter((part) => part !== '').join('  ')
}

function about(event: string, data: PlanActEvent['data']): string[] {
  const text = (key: string): string => shown(data[key])
  const status = styledState(text('status'))
  if (event === 'step') return [text('id'), status, text('description')]
  if (event === 'tool') return [text('function'), status, text(data['status'] === 'called' ? 'content' : 'args')]
  if (event === 'plan') return [stepsOf(data['steps'])]
  if (event === 'message') return [text('role'), text('content')]
  return [text(event)]
}

/** The time of an event, from its id, which begins with milliseconds: the timestamp has whole seconds only. */
function timeOf({ event_id: id, timestamp }: PlanActEvent['data']): string {
  const milliseconds = Number(/^\d{13}(?=-)/.exec(String(id))?.[0] ?? Number(timestamp) * 1000)
  return Number.isFinite(milliseconds) ? new Date(milliseconds).toISOString() : ''
}

function stepsOf(steps: unknown): string {
  if (!Array.isArray(steps)) return ''
  const texts = (steps as { description?: unknown; status?: unknown }[]).map(
    ({ description, status }) => `${shown(description)} (${shown(status)})`,
  )
  return oneLine(texts.join(', '), MAX_TEXT)
}

const shown = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : oneLine(typeof value === 'string' ? value : JSON.stringify(value), MAX_TEXT)
