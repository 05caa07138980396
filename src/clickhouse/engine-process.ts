import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { PlanspanError } from '../error.js'
import { readerName, writerName, type Credentials } from './credentials.js'
import { writing, type DataDirectory } from './data-directory.js'
import type { DirectoryLock } from './directory-lock.js'
import { explainFailure, hasRefused, lastLogged, logPosition } from './engine-failure.js'
import type { Engine } from './engine.js'
import { ask } from './ask.js'
import { queriesOfFile } from './file-access.js'

/** The parameters of one start of ClickHouse. */
export interface EngineStart {
  readonly engine: Engine
  readonly directory: DataDirectory
  readonly lock: DirectoryLock
  /** ClickHouse's HTTP port on 127.0.0.1. */
  readonly httpPort: number
  /** The writer's, to check that it is ready, and the reader's, to check that files are inaccessible. */
  readonly credentials: Credentials
  /** Called every few seconds during the start: a store of many parts takes minutes to start. */
  readonly onSlowStart: (slow: SlowStart) => void
  /** Kills the process when aborted. */
  readonly signal: AbortSignal
  /** Whether the process yields the processor to all others. @default false */
  readonly yields?: boolean
}

/** The progress of a slow start. */
export interface SlowStart {
  readonly seconds: number
  /** The last message of ClickHouse's log. */
  readonly said: string
}

/** One running ClickHouse. */
export interface EngineProcess {
  readonly pid: number
  /** Resolves with the reason when the process ends; never rejects. */
  readonly ended: Promise<PlanspanError>
}

const pollMs = 20
const reportEveryMs = 5_000
const gate = 'gate'
// The child does not inherit the parent's API keys and tokens: SQL functions could read them.
const inheritedVariables = ['HOME', 'PATH', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']

/**
 * Starts ClickHouse in a child process. Resolves when it answers the writer and denies the reader access to files,
 * however long that takes: ClickHouse first loads the metadata of each part of its tables.
 * @throws PlanspanError `clickhouse_failed`, `port_in_use`, `disk_full`, `data_directory_in_use`
 */
export async function startEngineProcess(start: EngineStart): Promise<EngineProcess> {
  const { directory, onSlowStart } = start
  const from = logPosition(directory)
  const child = spawnChild(start)
  const exit = new Promise<string>((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error.message)
    })
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
  const ended = exit.then((reason) => explainFailure(directory, from, `ClickHouse's process ended (${reason})`))
  const begun = performance.now()
  let reported = begun
  for (;;) {
    const state = await stateOf(start)
    if (state === 'ready') return { pid: child.pid ?? 0, ended }
    const failure = await Promise.race([ended, setTimeout(pollMs, undefined)])
    if (failure !== undefined) throw failure
    if (state !== 'starting') {
      child.kill('SIGKILL')
      await exit
      throw state === 'open' ? letsReadFiles() : explainFailure(directory, from, 'ClickHouse could not open its ports')
    }
    const now = performance.now()
    if (now - reported < reportEveryMs) continue
    reported = now
    onSlowStart({ seconds: Math.round((now - begun) / 1000), said: lastLogged(directory, from) })
  }
}

// Another release of chdb may add functions that no test covers. Then ClickHouse must not start.
async function stateOf(start: EngineStart): Promise<'starting' | 'ready' | 'refused' | 'open'> {
  const { directory, httpPort, credentials } = start
  const answered = await ask(httpPort, [writerName, credentials[writerName]], 'SELECT 1')
  if (hasRefused(directory)) return 'refused'
  if (!answered?.ok) return 'starting'
  for (const sql of queriesOfFile(directory.configuration)) {
    const answer = await ask(httpPort, [readerName, credentials[readerName]], sql)
    if (answer === undefined) return 'starting'
    if (answer.text.includes('<listen_host>')) return 'open'
  }
  return 'ready'
}

const letsReadFiles = () =>
  new PlanspanError(
    'clickhouse_failed',
    'The ClickHouse of the installed chdb lets the user for dashboards read files, so it is not used. ' +
      'Install a release of chdb that does not: npm install chdb@3.4.0.',
  )

function spawnChild({ engine, directory, lock, signal, yields = false }: EngineStart): ChildProcess {
  const command = {
    ...engine,
    yields,
    directory: directory.start,
    gate,
    statements: besideThis('serve.sql'),
    arguments: [
      'clickhouse',
      `--config-file=${directory.configuration}`,
      '--path',
      directory.store,
      '--queries-file',
      besideThis('prepare.sql'),
      join(directory.start, gate),
      // Why interactive: see child.js.
      '--interactive',
      '--disable_suggestion',
      '--progress=off',
    ],
  }
  const output = writing(directory.root, () => openSync(directory.output, 'w', 0o600))
  try {
    return spawn(process.execPath, [besideThis('child.js'), JSON.stringify(command)], {
      cwd: directory.store,
      env: childEnvironment(),
      // Its own process group: a terminal's Ctrl-C must not reach the store before the parent has flushed. Priorities
      // count within a session only.
      detached: !yields,
      signal,
      killSignal: 'SIGKILL',
      // The child ends when the IPC channel closes, which it does when the parent ends. The last descriptor shares the
      // lock of the directory.
      stdio: ['ignore', output, output, 'ipc', lock.fd],
    })
  } finally {
    closeSync(output)
  }
}

const besideThis = (file: string) => fileURLToPath(new URL(file, import.meta.url))

function childEnvironment(): NodeJS.ProcessEnv {
  const inherited = inheritedVariables.map((name) => [name, process.env[name]])
  // clickhouse-local reads the server's time zone from TZ only, and ignores its configuration.
  return { ...Object.fromEntries(inherited), TZ: 'UTC' }
}
