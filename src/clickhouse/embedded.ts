import { PlanspanError } from '../error.js'
import { closeFunctions } from './closed-functions.js'
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
import { keepDefaultDatabase } from './default-database.js'
import { type DirectoryLock, lockDirectory } from './directory-lock.js'
import { locateEngine } from './engine.js'
import { type EngineProcess, type SlowStart, startEngineProcess } from './engine-process.js'
import { removeFrozen } from './frozen.js'
import { rememberedPorts, rememberPorts } from './port-memory.js'
import { type Ports, reservePorts } from './ports.js'
import { readerGrants } from './reader-grants.js'
import { checkRestored } from './restoring.js'
import { type EmbeddedClickHouseState, Supervisor } from './supervisor.js'

const maxPortAttempts = 3

/** Options of an embedded ClickHouse. */
export interface EmbeddedClickHouseOptions {
  /** The directory of its files between runs; created if missing. */
  dataDirectory: string
  /**
   * A directory on another disk, which is then the volume `cold` of the storage policy `planspan`; created if missing.
   * @default that of the last start; none if there has never been one
   */
  coldDirectory?: string
  /**
   * Whether an insert is acknowledged only when the disk has it, so that a power failure loses nothing.
   * @default false: when the operating system has it, which writes it within seconds
   */
  fsync?: boolean
  /** Databases that the reader may read besides those that exist at the start; `name*` stands for a prefix. */
  databases?: readonly string[]
  /** Whether the reader may read the named databases alone. @default those that exist at the start, too */
  readsNamedAlone?: boolean
  /** Whether it will run for some seconds: others who want the directory wait for its end. @default false */
  isBrief?: boolean
  /** The HTTP port on 127.0.0.1. @default 0: the one of the last start, else a free one */
  httpPort?: number
  /** The native protocol's port on 127.0.0.1. @default 0: the one of the last start, else a free one */
  nativePort?: number
  /** Called every few seconds while it starts, which takes minutes where spans of very many days lie. */
  onSlowStart?: (slow: SlowStart) => void
  /** Called at every change of state; with the reason while it keeps dying. */
  onStateChange?: (state: EmbeddedClickHouseState, failure?: PlanspanError) => void
}

/** A ClickHouse server that belongs to this process and listens on loopback only. */
export interface EmbeddedClickHouse {
  /** The writer's URL, `http://planspan:<password>@127.0.0.1:<port>`, with all rights. */
  readonly url: string
  /** The reader's URL, `http://planspan_reader:<password>@127.0.0.1:<port>`, which may read the granted databases. */
  readonly readerUrl: string
  /** The same for a user who may read this tenant's database alone; undefined where it was made after the start. */
  readerUrlOf(database: string): string | undefined
  readonly httpPort: number
  readonly nativePort: number
  /** The process id of the current ClickHouse, or of the last one. */
  readonly pid: number
  readonly logFile: string
  /** The file with both passwords, which only its owner may read. */
  readonly credentialsFile: string
  /** The directory of the volume `cold`, absolute; undefined if there is none. */
  readonly coldDirectory: string | undefined
  readonly state: EmbeddedClickHouseState
  /** Why it keeps dying; undefined when it is ready, and after the first few deaths. */
  readonly failure: PlanspanError | undefined
  /** Stops ClickHouse; resolves when its process has ended. Idempotent. */
  stop(): Promise<void>
}

/**
 * Starts a real ClickHouse out of the optional peers chdb and ffi-rs, in a child process that ends with this one.
 * @throws PlanspanError `missing_dependency`, `unsupported_platform`, `data_directory_in_use`,
 * `data_directory_unwritable`, `disk_full`, `cold_data_missing`, `port_in_use`, `clickhouse_failed`, or `usage` for a
 * cold directory that cannot be one
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
  try {
    checkRestored(directory)
    const coldDirectory = openColdDirectory(directory, options.coldDirectory)
    removeFrozen(directory, engine)
    const credentials = readOrCreateCredentials(directory)
    keepDefaultDatabase(directory)
    closeFunctions(directory)
    const grants = readerGrants(directory, databases, {
      isNamedAlone: readsNamedAlone,
      tenants: tenantsOf(credentials),
    })
    const setting = { engine, directory, lock, credentials, onSlowStart, signal: stop.signal }
    const wanted = { http: httpPort, native: nativePort }
    const { ports, first } = await startOnPorts(wanted, rememberedPorts(directory), async (ports) => {
      writeConfiguration(directory, { ports, credentials, grants, coldDirectory, fsync })
      return startEngineProcess({ ...setting, httpPort: ports.http })
    })
    rememberPorts(directory, ports)
    const supervisor = new Supervisor({
      first,
      start: async () => {
        // Without its disk, ClickHouse would come up with an empty directory in place of the cold data.
        openColdDirectory(directory, undefined)
        return startEngineProcess({ ...setting, httpPort: ports.http })
      },
      stop,
      onStateChange,
    })
    return new RunningClickHouse(supervisor, { ports, credentials, lock, directory, coldDirectory })
  } catch (error) {
    stop.abort()
    lock.release()
    throw error
  }
}

// Another process may take a free port between picking it and listening on it; then another one is picked.
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
}

class RunningClickHouse implements EmbeddedClickHouse {
  readonly url: string
  readonly readerUrl: string
  readonly httpPort: number
  readonly nativePort: number
  readonly logFile: string
  readonly credentialsFile: string
  readonly coldDirectory: string | undefined
  readonly #credentials: Credentials
  readonly #supervisor: Supervisor
  readonly #lock: DirectoryLock
  #stopped: Promise<void> | undefined

  constructor(supervisor: Supervisor, { ports, credentials, lock, directory, coldDirectory }: Running) {
    this.url = urlOf(writerName, credentials[writerName], ports)
    this.readerUrl = urlOf(readerName, credentials[readerName], ports)
    this.httpPort = ports.http
    this.nativePort = ports.native
    this.logFile = directory.log
    this.credentialsFile = directory.credentials
    this.coldDirectory = coldDirectory
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
