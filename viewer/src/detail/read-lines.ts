import { type Lines, linesOf } from '../model/lines.js'
// oxlint-disable-next-line import/default -- Vite replaces it with the URL of the worker
import workerUrl from './lines-worker.ts?worker&url'

/** The number of characters above which a worker splits a text. */
const LONG = 100_000

/** Returns the lines of a text; for a long text, a promise from the worker. */
export const readLines = (text: string): Lines | Promise<Lines> => (text.length > LONG ? byWorker(text) : linesOf(text))

interface Asked {
  readonly text: string
  readonly answer: (lines: Lines) => void
}

let worker: Worker | undefined
let count = 0
const asked = new Map<number, Asked>()

function byWorker(text: string): Promise<Lines> {
  worker ??= startWorker()
  const id = count++
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is not a window
  worker.postMessage({ id, text })
  return new Promise((answer) => asked.set(id, { text, answer }))
}

function startWorker(): Worker {
  const started = new Worker(trusted(workerUrl), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<{ id: number; lines: Lines }>) => {
    asked.get(data.id)?.answer(data.lines)
    asked.delete(data.id)
  })
  // Split on the main thread if the worker cannot be loaded, for example because the server is gone.
  started.addEventListener('error', () => {
    for (const { text, answer } of asked.values()) answer(linesOf(text))
    asked.clear()
    worker = undefined
  })
  return started
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: () => string }): { createScriptURL(url: string): string }
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
/** The only policy that the page's Content-Security-Policy allows; it permits this one worker script. */
const policy = trustedTypes?.createPolicy('planspan-worker', { createScriptURL: () => workerUrl })
const trusted = (url: string): string => policy?.createScriptURL(url) ?? url
