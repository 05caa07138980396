import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import type { PlanspanError } from '../error.js'
import { type DataDirectory, writing } from './data-directory.js'
import type { DirectoryLock } from './directory-lock.js'
import type { Engine } from './engine.js'
import { explainFailure, hasRefused, logPosition } from './failure.js'

/** What one start of ClickHouse needs. */
export interface EngineStart {
  readonly engine: Engine
  readonly directory: DataDirectory
  readonly lock: DirectoryLock
  /** ClickHouse's HTTP port on 127.0.0.1. */
  readonly httpPort: number
  /** The `user:password` that the readiness query signs in with. */
  readonly signIn: string
  readonly readyTimeoutMs: number
  /** Kills the process when aborted. */
  readonly signal: AbortSignal
}

/** One running ClickHouse. */
export interface EngineProcess {
  readonly pid: number
  /** Settles when the process is gone, with the reason; never rejects. */
  readonly ended: Promise<PlanspanError>
}

const pollMs = 20
const answerTimeoutMs = 1000
// The child gets no API keys or tokens of the parent's: SQL functions would find them.
const inheritedVariables = ['HOME', 'PATH', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']

/**
 * Starts ClickHouse in a child process and resolves when it answers an authenticated query.
 * @throws PlanspanError `clickhouse_failed`, `port_in_use`, `disk_full`, `data_directory_in_use`
 */
export async function startEngineProcess(start: EngineStart): Promise<EngineProcess> {
  const { directory, readyTimeoutMs } = start
  const from = logPosition(directory)
  const child = spawnChild(start)
  const exit = new Promise<string>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message)
    })
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const ended = exit.then((reason) => explainFailure(directory, from, `ClickHouse's process ended (${reason})`))
  const deadline = AbortSignal.timeout(readyTimeoutMs)
  for (;;) {
    const answered = await answers(start)
    const refused = hasRefused(directory)
    if (answered && !refused) return { pid: child.pid ?? 0, ended }
    const failure = await Promise.race([ended, setTimeout(pollMs, undefined)])
    if (failure !== undefined) throw failure
    if (refused || deadline.aborted) {
      child.kill('SIGKILL')
      await exit
      const event = refused ? 'could not open its ports' : `was not ready within ${readyTimeoutMs} ms`
      throw explainFailure(directory, from, `ClickHouse ${event}`)
    }
  }
}

function spawnChild({ engine, directory, lock, signal }: EngineStart): ChildProcess {
  const command = {
    ...engine,
    arguments: [
      'clickhouse',
      `--config-file=${directory.configuration}`,
      '--path',
      directory.store,
      '--queries-file',
      fileURLToPath(new URL('./serve.sql', import.meta.url)),
      // Why interactive: see child.js.
      '--interactive',
      '--disable_suggestion',
      '--progress=off',
    ],
  }
  const output = writing(directory.root, () => openSync(directory.output, 'w', 0o600))
  try {
    return spawn(process.execPath, [fileURLToPath(new URL('./child.js', import.meta.url)), JSON.stringify(command)], {
      cwd: directory.store,
      env: childEnvironment(),
      // A process group of its own: a terminal's Ctrl-C must not reach the store before the parent has flushed.
      detached: true,
      signal,
      killSignal: 'SIGKILL',
      // The closing of the ipc channel tells the child that its parent is gone. The last one shares the directory's lock.
      stdio: ['ignore', output, output, 'ipc', lock.fd],
    })
  } finally {
    closeSync(output)
  }
}

function childEnvironment(): NodeJS.ProcessEnv {
  const inherited = inheritedVariables.map((name) => [name, process.env[name]])
  // clickhouse-local takes the server's time zone from here, whatever its configuration says.
  return { ...Object.fromEntries(inherited), TZ: 'UTC' }
}

async function answers({ httpPort, signIn }: EngineStart): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${httpPort}/?query=SELECT%201`, {
      headers: { authorization: `Basic ${Buffer.from(signIn).toString('base64')}` },
      signal: AbortSignal.timeout(answerTimeoutMs),
    })
    await response.arrayBuffer()
    return response.ok
  } catch {
    // Not listening yet, or something else is.
    return false
  }
}
