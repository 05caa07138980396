import { PlanspanError } from '../error.js'
import { closeFunctions, keepDefaultDatabase } from './file-access.js'
import { openColdDirectory } from './cold-directory.js'
import { writeConfiguration } from './configuration.js'
import {
  type Credentials,
  readerName,
  readerNameOf,
  readOrCreateCredentials,
  tenantsOf,
  urlOf,
  writerName,
} from './credentials.js'
import { type DataDirectory, openDataDirectory } from './data-directory.js'
import { type DirectoryLock, lockDirectory } from './directory-lock.js'
import { locateEngine } from './engine.js'
import { type EngineProcess, type SlowStart, startEngineProcess } from './engine-process.js'
import { removeFrozen } from './frozen.js'
import { rememberedPorts, rememberPorts, reservePorts, type Ports } from './ports.js'
import { readerGrants } from './reader-grants.js'
import { EnginesForReading, type ReadingEngines } from './reading-engines.js'
import { Reserve } from './reserve.js'
import { checkRestored } from './restoring.js'
import { type EmbeddedClickHouseState, Supervisor } from './supervisor.js'
import { removeTornMutations } from './torn-mutations.js'

const maxPortAttempts = 3

/** Options of an embedded ClickHouse. */
export interface EmbeddedClickHouseOptions {
  /** The directory in which it keeps its files; created if missing. */
  dataDirectory: string
  /**
   * A directory on another disk for the volume `cold` of the storage policy `planspan`; created if missing.
   * @default the directory of the last start, if any
   */
  coldDirectory?: string
  /**
   * Whether an insert is acknowledged only after fsync, so that a power failure loses nothing.
   * @default false: acknowledged when written to the operating system, which writes it to disk within seconds
   */
  fsync?: boolean
  /** Databases that the reader may read besides the databases that exist at the start; `name*` is a prefix. */
  databases?: readonly string[]
  /** Whether the reader may read the named databases only. @default false: existing databases, too */
  readsNamedAlone?: boolean
  /** Whether it will run for some seconds only, so that other processes wait for its end. @default false */
  isBrief?: boolean
  /** The HTTP port on 127.0.0.1. @default 0: the port of the last start, or a free port */
  httpPort?: number
  /** The native protocol's port on 127.0.0.1. @default 0: the port of the last start, or a free port */
  nativePort?: number
  /** Called every few seconds during the start, which takes minutes for a store with spans of very many days. */
  onSlowStart?: (slow: SlowStart) => void
  /** Called at every change of state, with the reason while it keeps dying. */
  onStateChange?: (state: EmbeddedClickHouseState, failure?: PlanspanError) => void
}

/** A ClickHouse server that belongs to this process and listens on loopback only. */
export interface EmbeddedClickHouse {
  /** The writer's URL, `http://planspan:<password>@127.0.0.1:<port>`, with all rights. */
  readonly url: string
  /** The reader's URL, `http://planspan_reader:<password>@127.0.0.1:<port>`, which may read the granted databases. */
  readonly readerUrl: string
  /** The URL of the user who may read this tenant's database only; undefined for a tenant created after the start. */
  readerUrlOf(database: string): string | undefined
  /** Engines apart from this one, in which the reader's queries can be ended. */
  readonly forReading: ReadingEngines
  readonly httpPort: number
  readonly nativePort: number
  /** The process id of the current or last ClickHouse. */
  readonly pid: number
  readonly logFile: string
  /** The file with both passwords, which only its owner may read. */
  readonly credentialsFile: string
  /** The space that is kept free for acknowledged spans. */
  readonly reserve: Reserve
  /** The absolute directory of the volume `cold`, if any. */
  readonly coldDirectory: string | undefined
  readonly state: EmbeddedClickHouseState
  /** Why it keeps dying; undefined when it is ready and after the first few deaths. */
  readonly failure: PlanspanError | undefined
  /** Stops ClickHouse; resolves when its process has ended. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts a real ClickHouse from the optional peers chdb and ffi-rs, in a child process that ends with this process.
 * @throws PlanspanError `missing_dependency`, `unsupported_platform`, `data_directory_in_use`,
 * `data_directory_unwritable`, `disk_full`, `cold_data_missing`, `port_in_use`, `clickhouse_failed`, or `usage` for an
 * unsuitable cold directory
 */
export async function startClickHouse(options: EmbeddedClickHouseOptions): Promise<EmbeddedClickHouse> {
  const {
    dataDirectory,
    databases = [],
    httpPort = 0,
    nativePort = 0,
    fsync = false,
    readsNamedAlone = false,
  } = options
  const { onSlowStart = () => {}, onStateChange = () => {} } = options
  const engine = locateEngine()
  const directory = openDataDirectory(dataDirectory)
  const lock = await lockDirectory(directory, engine, { isBrief: options.isBrief })
  const stop = new AbortController()
  let reserving: Promise<void> | undefined
  try {
    checkRestored(directory)
    const coldDirectory = openColdDirectory(directory, options.coldDirectory)
    removeFrozen(directory, engine)
    removeTornMutations(directory)
    const credentials = readOrCreateCredentials(directory)
    keepDefaultDatabase(directory)
    closeFunctions(directory)
    const grants = readerGrants(directory, databases, {
      isNamedAlone: readsNamedAlone,
      tenants: tenantsOf(credentials),
    })
    const setting = { engine, directory, lock, credentials, onSlowStart, signal: stop.signal }
    const wanted = { http: httpPort, native: nativePort }
    const reserve = new Reserve(directory.reserve)
    if (options.isBrief !== true) reserving = reserve.restore()
    const { ports, first } = await startOnPorts(wanted, rememberedPorts(directory), async (ports) => {
      writeConfiguration(directory, { ports, credentials, grants, coldDirectory, fsync })
      return startEngineProcess({ ...setting, httpPort: ports.http })
    })
    rememberPorts(directory, ports)
    await reserving
    const supervisor = new Supervisor({
      first,
      start: async () => {
        // Without the cold disk, ClickHouse would start with an empty directory in place of the cold data.
        openColdDirectory(directory, undefined)
        removeTornMutations(directory)
        return startEngineProcess({ ...setting, httpPort: ports.http })
      },
      stop,
      onStateChange,
    })
    const forReading = new EnginesForReading({
      engine,
      owner: directory,
      lock,
      credentials,
      grants,
      coldDirectory,
      signal: stop.signal,
    })
    return new RunningClickHouse(supervisor, {
      ports,
      credentials,
      lock,
      directory,
      coldDirectory,
      forReading,
      reserve,
    })
  } catch (error) {
    stop.abort()
    await reserving
    lock.release()
    throw error
  }
}

// Another process may take a free port before ClickHouse listens on it; then this function picks another port.
async function startOnPorts(
  wanted: Ports,
  preferred: Ports,
  start: (ports: Ports) => Promise<EngineProcess>,
): Promise<{ ports: Ports; first: EngineProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await reservePorts(wanted, preferred)
    try {
      return { ports, first: await start(ports) }
    } catch (error) {
      const picked = wanted.http === 0 || wanted.native === 0
      const taken = error instanceof PlanspanError && error.code === 'port_in_use'
      if (!picked || !taken || attempt === maxPortAttempts) throw error
    }
  }
}

interface Running {
  readonly ports: Ports
  readonly credentials: Credentials
  readonly lock: DirectoryLock
  readonly directory: DataDirectory
  readonly coldDirectory: string | undefined
  readonly forReading: ReadingEngines
  readonly reserve: Reserve
}

class RunningClickHouse implements EmbeddedClickHouse {
  readonly url: string
  readonly readerUrl: string
  readonly forReading: ReadingEngines
  readonly httpPort: number
  readonly nativePort: number
  readonly logFile: string
  readonly credentialsFile: string
  readonly coldDirectory: string | undefined
  readonly reserve: Reserve
  readonly #credentials: Credentials
  readonly #supervisor: Supervisor
  readonly #lock: DirectoryLock
  #stopped: Promise<void> | undefined

  constructor(supervisor: Supervisor, { ports, credentials, lock, directory, ...about }: Running) {
    this.url = urlOf(writerName, credentials[writerName], ports)
    this.readerUrl = urlOf(readerName, credentials[readerName], ports)
    this.httpPort = ports.http
    this.nativePort = ports.native
    this.logFile = directory.log
    this.credentialsFile = directory.credentials
    this.coldDirectory = about.coldDirectory
    this.forReading = about.forReading
    this.reserve = about.reserve
    this.#credentials = credentials
    this.#supervisor = supervisor
    this.#lock = lock
  }

  get pid(): number {
    return this.#supervisor.pid
  }

  get state(): EmbeddedClickHouseState {
    return this.#supervisor.state
  }

  get failure(): PlanspanError | undefined {
    return this.#supervisor.failure
  }

  readerUrlOf(database: string): string | undefined {
    const name = readerNameOf(database)
    const password = this.#credentials[name]
    return password === undefined ? undefined : urlOf(name, password, { http: this.httpPort })
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#supervisor.stop().finally(() => this.#lock.release())
    return this.#stopped
  }
}
