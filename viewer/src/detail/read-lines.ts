import { type Lines, linesOf } from '../model/lines.js'
// oxlint-disable-next-line import/default -- Vite replaces it with the URL of the worker
import workerUrl from './lines-worker.ts?worker&url'

/** The number of characters above which a worker splits a text. */
const LONG = 100_000

/** Returns the lines of a text; for a long text, a promise from the worker. */
export const readLines = (text: string): Lines | Promise<Lines> =>
  text.length > LONG ? splitInWorker(text) : linesOf(text)

/** A text that the worker is splitting. */
interface PendingText {
  readonly text: string
  readonly resolve: (lines: Lines) => void
}

let worker: Worker | undefined
let count = 0
const pending = new Map<number, PendingText>()

function splitInWorker(text: string): Promise<Lines> {
  worker ??= startWorker()
  const id = count++
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker is not a window
  worker.postMessage({ id, text })
  return new Promise((resolve) => pending.set(id, { text, resolve }))
}

function startWorker(): Worker {
  const started = new Worker(trusted(workerUrl), { type: 'module' })
  started.addEventListener('message', ({ data }: MessageEvent<{ id: number; lines: Lines }>) => {
    pending.get(data.id)?.resolve(data.lines)
    pending.delete(data.id)
  })
  // Split on the main thread if the worker cannot be loaded, for example because the server is unreachable.
  started.addEventListener('error', () => {
    for (const { text, resolve } of pending.values()) resolve(linesOf(text))
    pending.clear()
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
