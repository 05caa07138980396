import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { anthropicEvents, anthropicMessage } from './anthropic.js'
import { geminiContent, geminiEvents } from './gemini.js'
import { chatCompletion, completionChunks, response, responseEvents } from './openai.js'
import type { Story, Turn } from './story.js'

/** A simulated model, and the address at which one run of a story calls it. */
export interface Model {
  urlOf(story: Story): string
  close(): void
}

interface Api {
  readonly at: RegExp
  readonly whole: (turn: Turn) => unknown
  readonly events: (turn: Turn) => readonly string[]
}

/** The APIs of models, by the path at which they are called. */
const APIS: readonly Api[] = [
  { at: /responses$/, whole: response, events: responseEvents },
  { at: /messages$/, whole: anthropicMessage, events: anthropicEvents },
  { at: /:(generate|streamGenerate)Content/, whole: geminiContent, events: geminiEvents },
  { at: /^/, whole: chatCompletion, events: completionChunks },
]

/** What a run has asked so far. */
interface Play {
  readonly story: Story
  readonly failedOnce: Set<Turn>
  readonly delayed: { readonly begun: Promise<void>; readonly begin: () => void }
}

/**
 * A simulated model with the APIs of OpenAI, Anthropic and Gemini: frameworks call it with their own clients. It
 * recognizes an agent by its instructions, and the turn by the calls in the messages. `GET …/delayed` responds when a
 * call waits for its answer.
 */
export async function startModel(): Promise<Model> {
  const plays: Play[] = []
  const server = createServer((request, answer) => {
    const [, number = '', ...path] = (request.url ?? '').split('/')
    const play = plays[Number(number)]
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (play === undefined) fail(answer, 404, `There is no ${request.url ?? ''}`)
      else if (path.at(-1) === 'delayed') void play.delayed.begun.then(() => answer.end('{}'))
      else respond(play, Buffer.concat(chunks).toString(), path.join('/'), answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (story) => `http://127.0.0.1:${port}/${plays.push(playOf(story)) - 1}/v1`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function playOf(story: Story): Play {
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  return { story, failedOnce: new Set(), delayed: { begun, begin } }
}

function respond(play: Play, asked: string, path: string, answer: ServerResponse): void {
  const turn = turnOf(play.story, asked)
  if (turn === undefined) return fail(answer, 400, `No agent of the story asks this: ${asked}`)
  if (turn.fails) return fail(answer, turn.fails.status, turn.fails.message)
  if (turn.failsOnce !== undefined && !play.failedOnce.has(turn)) {
    play.failedOnce.add(turn)
    return fail(answer, turn.failsOnce, 'The model is overloaded.', { 'retry-after-ms': '1' })
  }
  if (turn.delayMs !== undefined) {
    play.delayed.begin()
    setTimeout(() => answer.destroy(), turn.delayMs).unref()
    return undefined
  }
  const { whole, events } = APIS.find(({ at }) => at.test(path))!
  if (path.includes('stream') || (JSON.parse(asked) as { stream?: boolean }).stream === true) {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.end(events(turn).join(''))
  } else {
    answer.writeHead(200, { 'content-type': 'application/json' })
    answer.end(JSON.stringify(whole(turn)))
  }
  return undefined
}

/** The turn of the agent whose instructions the messages contain: the first one that was not taken yet. */
function turnOf({ agents, request, then = [] }: Story, asked: string): Turn | undefined {
  const agent = Object.values(agents).find(({ instructions }) => asked.includes(instructions))
  const latest = [request, ...then].findLast((each) => asked.includes(each))
  // Some frameworks repeat the error of a call, but not its id.
  const isTaken = ({ calls }: Turn) =>
    calls.some(({ id, name }) => asked.includes(id) || asked.includes(agent?.tools[name]?.error ?? id))
  return agent?.turns.find((turn) => (turn.request ?? request) === (latest ?? request) && !isTaken(turn))
}

function fail(answer: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers })
  answer.end(JSON.stringify({ error: { message, type: 'made_up', code: String(status) } }))
}
