import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'

import { PlanspanError } from '../error.js'
import { ask } from './ask.js'
import { type Configuration, writeConfiguration } from './configuration.js'
import { type Credentials, readerName, writerName } from './credentials.js'
import { type DataDirectory, openDataDirectory } from './data-directory.js'
import type { DirectoryLock } from './directory-lock.js'
import type { Engine } from './engine.js'
import { startEngineProcess } from './engine-process.js'
import { closeFunctions, keepDefaultDatabase } from './file-access.js'
import { reservePorts } from './ports.js'

/** What a query needs of an engine. */
export interface Reading<Result> {
  /** The tables that the engine must know. An engine that knows others is replaced. */
  readonly tables: string
  /** Attaches the tables to a new engine. */
  readonly prepare: (httpPort: number) => Promise<void>
  readonly task: (httpPort: number) => Promise<Result>
  /** Kills the engine when aborted. */
  readonly signal: AbortSignal
}

/** Runs queries in engines of their own, one query at a time in each. */
export interface ReadingEngines {
  /** Throws `store_busy` if all engines are in use, what `startClickHouse` throws, and the errors of the query. */
  run<Result>(reading: Reading<Result>): Promise<Result>
}

export interface ReadingEnginesOptions extends Pick<Configuration, 'grants' | 'coldDirectory'> {
  readonly engine: Engine
  readonly owner: DataDirectory
  readonly lock: DirectoryLock
  readonly credentials: Credentials
  /** Ends all engines. */
  readonly signal: AbortSignal
}

/** Each engine takes some 300 MB. */
const MAX_ENGINES = 2
/** The time after which an idle engine ends. */
const IDLE_MS = 60_000
/** The time in which a query must have ended after its answer. */
const QUIET_MS = 1_000

interface ReadingEngine {
  readonly httpPort: number
  readonly tables: string
  readonly end: () => Promise<void>
  timer?: NodeJS.Timeout
}

/**
 * ClickHouse processes that read the tables of another one's directory. Some functions of ClickHouse run for minutes
 * over one block, and neither a time limit nor KILL QUERY ends them: only the end of their process does.
 */
export class EnginesForReading implements ReadingEngines {
  readonly #options: ReadingEnginesOptions
  readonly #idle: ReadingEngine[] = []
  readonly #turns = new Turns(MAX_ENGINES)
  readonly #freeSlots = Array.from({ length: MAX_ENGINES }, (_, slot) => slot)

  constructor(options: ReadingEnginesOptions) {
    this.#options = options
  }

  async run<Result>({ tables, prepare, task, signal }: Reading<Result>): Promise<Result> {
    await this.#turns.wait()
    const engine = await this.#take(tables, prepare).catch((error: unknown) => {
      this.#turns.pass()
      throw error
    })
    const kill = (): void => void engine.end()
    signal.addEventListener('abort', kill)
    try {
      signal.throwIfAborted()
      return await task(engine.httpPort)
    } finally {
      signal.removeEventListener('abort', kill)
      // A query that follows finds this engine idle, and starts no other.
      await this.#giveBack(engine, signal.aborted).finally(() => this.#turns.pass())
    }
  }

  async #take(tables: string, prepare: Reading<unknown>['prepare']): Promise<ReadingEngine> {
    const at = this.#idle.findIndex((engine) => engine.tables === tables)
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1)
    if (idle) {
      clearTimeout(idle.timer)
      return idle
    }
    if (this.#freeSlots.length === 0) await this.#idle.shift()?.end()
    const slot = this.#freeSlots.pop() as number
    const engine = await this.#start(slot, tables).catch((error: unknown) => {
      this.#freeSlots.push(slot)
      throw error
    })
    try {
      await prepare(engine.httpPort)
    } catch (error) {
      await engine.end()
      throw error
    }
    return engine
  }

  /** Starts an engine beside its owner, or on the disk of temporary files while the owner's disk is full. */
  async #start(slot: number, tables: string): Promise<ReadingEngine> {
    const root = join(this.#options.owner.root, `reading-${slot}`)
    rmSync(root, { recursive: true, force: true })
    try {
      return await this.#startIn(root, { slot, tables })
    } catch (error) {
      rmSync(root, { recursive: true, force: true })
      if (!(error instanceof PlanspanError && error.code === 'disk_full')) throw error
      return this.#startIn(mkdtempSync(join(tmpdir(), 'planspan-reading-')), { slot, tables })
    }
  }

  async #startIn(
    root: string,
    { slot, tables }: { readonly slot: number; readonly tables: string },
  ): Promise<ReadingEngine> {
    const { engine, owner, lock, credentials, grants, coldDirectory, signal } = this.#options
    const directory = openDataDirectory(root)
    keepDefaultDatabase(directory)
    closeFunctions(directory)
    const ports = await reservePorts({ http: 0, native: 0 })
    writeConfiguration(directory, { ports, credentials, grants, coldDirectory, fsync: false, owner })
    const stop = new AbortController()
    const process = await startEngineProcess({
      engine,
      directory,
      lock,
      credentials,
      httpPort: ports.http,
      onSlowStart: () => {},
      signal: AbortSignal.any([signal, stop.signal]),
      yields: true,
    })
    const end = async (): Promise<void> => {
      stop.abort()
      await ended
    }
    const started: ReadingEngine = { httpPort: ports.http, tables, end }
    const ended = process.ended.then(() => {
      rmSync(root, { recursive: true, force: true })
      this.#forget(started)
      this.#freeSlots.push(slot)
    })
    return started
  }

  /** Keeps an engine for the next query, unless a query still runs in it. */
  async #giveBack(engine: ReadingEngine, isKilled: boolean): Promise<void> {
    if (isKilled || !(await this.#becomesQuiet(engine))) return engine.end()
    engine.timer = setTimeout(() => void engine.end(), IDLE_MS).unref()
    this.#idle.push(engine)
  }

  async #becomesQuiet({ httpPort }: ReadingEngine): Promise<boolean> {
    const owner = [writerName, this.#options.credentials[writerName]] as const
    const running = `SELECT count() FROM system.processes WHERE startsWith(user, '${readerName}')`
    for (const end = performance.now() + QUIET_MS; performance.now() < end; await delay(20)) {
      const answer = await ask(httpPort, owner, running)
      if (answer?.text.trim() === '0') return true
    }
    return false
  }

  #forget(engine: ReadingEngine): void {
    clearTimeout(engine.timer)
    const at = this.#idle.indexOf(engine)
    if (at >= 0) this.#idle.splice(at, 1)
  }
}

/** The time to wait for an engine. */
const PATIENCE_MS = 10_000

/** Admits a number of queries at once. */
class Turns {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  /** Throws `store_busy` if no other query ends in time. */
  async wait(): Promise<void> {
    if (this.#free > 0) return void this.#free--
    await new Promise<void>((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#queue.splice(this.#queue.indexOf(start), 1)
        reject(new PlanspanError('store_busy', 'Other queries are being answered. Ask again later.'))
      }, PATIENCE_MS)
      this.#queue.push(start)
    })
  }

  pass(): void {
    const next = this.#queue.shift()
    if (next) next()
    else this.#free++
  }
}
