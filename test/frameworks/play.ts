import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Run } from './frameworks.js'

/** A runner's output about the story that it has played. */
export interface Played {
  readonly traceIds: readonly string[]
  readonly answer: string
}

/** Variables that would change a framework's behavior: some send no traces in tests. */
const CHANGES_FRAMEWORKS = /^(OTEL_|OPENAI_|LANGSMITH_|LANGCHAIN_|LANGFUSE_|LOGFIRE_|VITEST|NODE_ENV$|TEST$)/

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Plays a story with a framework, and resolves when its spans have been sent. */
export async function play(run: Run, story: string, urls: { endpoint: string; model: string }): Promise<Played> {
  const cwd = folderOf(`${run.framework}/`)
  const [program, script] = existsSync(`${cwd}play.py`)
    ? [`${cwd}.venv/bin/python`, 'play.py']
    : [process.execPath, 'play.mjs']
  const inherited = Object.entries(process.env).filter(([name]) => !CHANGES_FRAMEWORKS.test(name))
  const own = { PYTHONPATH: folderOf('.'), PYTHONDONTWRITEBYTECODE: '1', VARIANT: run.variant }
  const child = spawn(program, [script, urls.endpoint, urls.model, story], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const told = Buffer.concat(out).toString().split('\n')
  const line = told.find((one) => one.startsWith('{"traceIds"'))
  if (code !== 0 || line === undefined)
    throw new Error(`${run.framework} ended with ${String(code)}.\n${Buffer.concat(err).toString()}`)
  return JSON.parse(line) as Played
}
