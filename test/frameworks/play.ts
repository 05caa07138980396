import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import type { Run } from './results.js'

/** A runner's output about the story that it has played. */
export interface Played {
  readonly traceIds: readonly string[]
  /** The answer to each request; null if a run ended without an answer. */
  readonly answers: readonly (string | null)[]
  /** The error that ended the story in the program. */
  readonly error: string | null
}

/** The program that plays stories, by the file that a framework's folder contains. */
const PROGRAMS: readonly (readonly [file: string, command: (folder: string) => readonly string[]])[] = [
  ['play.py', (folder) => [`${folder}.venv/bin/python`, 'play.py']],
  ['play.mjs', () => [process.execPath, 'play.mjs']],
  ['play.go', (folder) => [`${folder}play`]],
  ['pom.xml', () => ['java', '-jar', 'target/play.jar']],
]

/** Variables that would change a framework's behavior: some send no traces in tests. */
const CHANGES_FRAMEWORKS = /^(OTEL_|OPENAI_|LANGSMITH_|LANGCHAIN_|LANGFUSE_|LOGFIRE_|VITEST|NODE_ENV$|TEST$)/

const folderOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Plays a story with a framework, and resolves when its spans have been sent. */
export async function play(run: Run, story: string, urls: { endpoint: string; model: string }): Promise<Played> {
  const cwd = folderOf(`${run.framework}/`)
  const [program = '', ...args] = PROGRAMS.find(([file]) => existsSync(`${cwd}${file}`))?.[1](cwd) ?? []
  const inherited = Object.entries(process.env).filter(([name]) => !CHANGES_FRAMEWORKS.test(name))
  const own = { PYTHONPATH: folderOf('.'), PYTHONDONTWRITEBYTECODE: '1', VARIANT: run.variant }
  const child = spawn(program, [...args, urls.endpoint, urls.model, story], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const out: Buffer[] = []
  const err: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  const lines = Buffer.concat(out).toString().split('\n')
  const line = lines.find((one) => one.startsWith('{"traceIds"'))
  if (code !== 0 || line === undefined)
    throw new Error(`${run.framework} ended with ${String(code)}.\n${Buffer.concat(err).toString()}`)
  return JSON.parse(line) as Played
}
