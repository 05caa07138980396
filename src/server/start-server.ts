import type { TracerProvider } from '@opentelemetry/api'
import { resolve } from 'node:path'

import { Gate, isLoopback } from '../access/index.js'
import { startClickHouse } from '../clickhouse/index.js'
import type { EmbeddedClickHouse, EmbeddedClickHouseState, SlowStart } from '../clickhouse/index.js'
import { PlanspanError } from '../error.js'
import { checkAges } from '../store/ageing/index.js'
import { Disposer } from './async.js'
import { listenControl } from './backup/index.js'
import { coldVolumeOf, embeddedColdVolume } from './cold-options.js'
import { AllowedOrigins } from './http/index.js'
import type { Log } from './telemetry/index.js'
import { Certificate, type TlsFiles } from './tls/index.js'

/** The options of a server: its store, its access and its ports. */
export interface ServerOptions {
  /** The directory of the embedded ClickHouse. @default './planspan-data' */
  readonly dataDirectory?: string
  /** The port for OTLP and the HTTP interface; 0 selects a free port. @default 4318 */
  readonly port?: number
  /** The port for OTLP over gRPC; 0 selects a free port. @default none */
  readonly grpcPort?: number
  /** The port for Jaeger's remote storage over gRPC; 0 selects a free port. @default none */
  readonly jaegerPort?: number
  /**
   * The address to listen on. An address other than loopback needs `tokensFile` or `open`, and `tls` or `plainHttp`.
   * @default '127.0.0.1'
   */
  readonly host?: string
  /** A file of `planspan token create`: requests need one of its tokens. @default no tokens required */
  readonly tokensFile?: string
  /** Whether to accept a `host` other than loopback without tokens: all clients may send spans and read all records. */
  readonly open?: boolean
  /** The certificate and key for TLS on all ports, reloaded when they change. @default no TLS */
  readonly tls?: TlsFiles
  /** Whether to accept a `host` other than loopback without TLS: tokens and data are sent unencrypted. */
  readonly plainHttp?: boolean
  /** `http[s]://user:password@host:port` of a ClickHouse server. @default the embedded ClickHouse */
  readonly clickhouse?: string
  /** The name of the database. @default 'otel' */
  readonly database?: string
  /** The retention of spans, days; older spans are rejected. @default no limit */
  readonly retentionDays?: number
  /** The maximum age of accepted spans, years; older spans are rejected. @default 10 */
  readonly timeWindowYears?: number
  /** Days after which spans move to the cold directory or volume; less than the retention. @default never */
  readonly coldAfterDays?: number
  /**
   * The embedded ClickHouse's directory for old spans on another disk; created if missing.
   * @default the directory of the last start
   */
  readonly coldDirectory?: string
  /**
   * Whether the embedded ClickHouse acknowledges spans only after they are on disk, which is slower but survives a
   * power failure.
   * @default false
   */
  readonly fsync?: boolean
  /** Whether secrets are masked in all received spans and records. @default false */
  readonly redact?: boolean
  /** The URL of Jaeger's page, `http[s]://…`, for links on planspan's page. @default no links */
  readonly jaegerUrl?: string
  /** With `clickhouse` and `coldAfterDays`: a storage policy and its volume for old spans, as `policy.volume`. */
  readonly coldVolume?: string
  /**
   * With `clickhouse` on a cluster: the URLs of all its hosts, separated by commas. A URL without a user uses
   * the user of `clickhouse`. Each host erases its own data.
   * @default the hosts in ClickHouse's configuration, at the port and with the user of `clickhouse`
   */
  readonly hosts?: string
  /** Receives events, such as erasures and slow requests. @default no log */
  readonly log?: Log
  /** Whether `log` receives all requests. @default false */
  readonly logRequests?: boolean
  /**
   * Creates spans of the server's own work: requests, and below them queries, inserts and rebuilt records. Nesting
   * requires an OpenTelemetry context manager in the process.
   * @default no spans
   */
  readonly tracerProvider?: TracerProvider
  /** Other origins whose pages have access, such as `https://app.example.com`. @default none */
  readonly corsOrigins?: readonly string[]
  /** Called every few seconds while the embedded ClickHouse starts. */
  readonly onSlowStart?: (slow: SlowStart) => void
  /** Called when the embedded ClickHouse changes its state; with the reason while it keeps crashing. */
  readonly onClickHouseState?: (state: EmbeddedClickHouseState, failure?: PlanspanError) => void
}

/** A running server. */
export interface RunningServer {
  /** The base URL of OTLP and the HTTP interface, without a trailing slash. */
  readonly url: string
  /** The base URL of OTLP over gRPC; undefined without `grpcPort`. */
  readonly grpcUrl: string | undefined
  /** `host:port` for Jaeger's remote storage; undefined without `jaegerPort`. */
  readonly jaegerEndpoint: string | undefined
  /** The URL of ClickHouse, including user and password. */
  readonly clickhouseUrl: string
  readonly database: string
  /** The embedded ClickHouse; undefined if a URL was given. */
  readonly embedded: EmbeddedClickHouse | undefined
  /** The embedded ClickHouse's directory, absolute. */
  readonly dataDirectory: string | undefined
  /** The embedded ClickHouse's directory for old spans, absolute; undefined without one. */
  readonly coldDirectory: string | undefined
  /** Stops accepting requests, stores all accepted ones, then ends ClickHouse. Takes 40 seconds at most. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts the receiver and the HTTP interface over an embedded ClickHouse, or over the one at a URL. Throws a
 * PlanspanError: `port_in_use`, `store_unreachable`, `schema_mismatch`, `missing_dependency`, `usage` for
 * conflicting options, `tokens_unreadable`, `certificate_unusable`, or one of the embedded ClickHouse's.
 *
 * @example
 * const server = await startServer({ port: 0 })
 * await fetch(`${server.url}/api/records`)
 * await server.close()
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const {
    port = 4318,
    host = '127.0.0.1',
    database = 'otel',
    retentionDays,
    timeWindowYears,
    grpcPort,
    jaegerPort,
    redact = false,
    hosts,
    log = () => {},
    logRequests = false,
    tracerProvider,
    jaegerUrl,
  } = options
  checkAges(retentionDays, options.coldAfterDays)
  const ownCold = coldVolumeOf(options)
  checkFsync(options)
  checkOpen(options, host)
  checkPlainHttp(options, host)
  const origins = options.corsOrigins?.length ? new AllowedOrigins(options.corsOrigins) : undefined
  const disposer = new Disposer()
  try {
    const gate = options.tokensFile === undefined ? undefined : await Gate.open(options.tokensFile)
    disposer.defer(async () => gate?.close())
    const certificate = options.tls && (await Certificate.open(options.tls))
    disposer.defer(async () => certificate?.close())
    const starting = options.clickhouse === undefined ? startEmbedded(options, database, disposer) : undefined
    // Loaded while ClickHouse starts, because both take about the same time.
    const [embedded, { serveStore }] = await Promise.all([starting, import('./serve-store.js')])
    const clickhouseUrl = embedded?.url ?? options.clickhouse ?? ''
    const cold = embedded ? embeddedColdVolume(embedded, options) : ownCold
    const outage = () => embedded && outageOf(embedded)
    const endpoints = await serveStore(
      {
        clickhouseUrl,
        readerUrl: embedded?.readerUrl,
        readerUrlOf: (name) => embedded?.readerUrlOf(name),
        readerEngines: embedded?.forReading,
        reserve: embedded?.reserve,
        database,
        retentionDays,
        timeWindowYears,
        cold,
        host,
        port,
        grpcPort,
        jaegerPort,
        outage,
        redact,
        gate,
        certificate,
        hosts,
        log,
        logRequests,
        tracerProvider,
        origins,
        jaegerUrl,
      },
      disposer,
    )
    return {
      ...endpoints,
      clickhouseUrl,
      database,
      embedded,
      dataDirectory: embedded && dataDirectoryOf(options),
      coldDirectory: embedded?.coldDirectory,
      close: () => disposer.dispose(),
    }
  } catch (error) {
    await disposer.dispose()
    throw error
  }
}

function checkOpen({ tokensFile, open = false }: ServerOptions, host: string): void {
  if (open && tokensFile !== undefined) {
    throw new PlanspanError(
      'usage',
      '--open and --tokens exclude each other: --open admits all clients, --tokens only clients with a token. Give one of them.',
    )
  }
  if (open || tokensFile !== undefined || isLoopback(host)) return
  throw new PlanspanError(
    'usage',
    `--host ${host} is beyond this machine: any client that reaches it could send spans and read every record. Give ` +
      '--tokens FILE, which `planspan token create` creates, or --open to admit all clients.',
  )
}

function checkPlainHttp({ tls, plainHttp = false }: ServerOptions, host: string): void {
  if (plainHttp && tls) {
    throw new PlanspanError(
      'usage',
      '--plain-http and --tls-cert exclude each other: one disables TLS, one enables it. Give one of them.',
    )
  }
  if (plainHttp || tls || isLoopback(host)) return
  throw new PlanspanError(
    'usage',
    `--host ${host} is beyond this machine, and what goes there without TLS can be read and changed on its way, tokens ` +
      'too. Give --tls-cert FILE and --tls-key FILE, or --plain-http where a proxy ends TLS, or the network is your own.',
  )
}

function checkFsync({ fsync, clickhouse }: ServerOptions): void {
  if (!fsync || clickhouse === undefined) return
  throw new PlanspanError(
    'usage',
    '--fsync is for the embedded ClickHouse. For one given with --clickhouse set fsync_after_insert and ' +
      'fsync_part_directory in its configuration, under merge_tree.',
  )
}

const dataDirectoryOf = ({ dataDirectory = './planspan-data' }: ServerOptions): string => resolve(dataDirectory)

async function startEmbedded(
  options: ServerOptions,
  database: string,
  disposer: Disposer,
): Promise<EmbeddedClickHouse> {
  const embedded = await startClickHouse({
    dataDirectory: dataDirectoryOf(options),
    databases: [database],
    // With tokens the reader is for this database alone, as each tenant has one of its own.
    readsNamedAlone: options.tokensFile !== undefined,
    ...(options.fsync === undefined ? {} : { fsync: options.fsync }),
    ...(options.coldDirectory === undefined ? {} : { coldDirectory: options.coldDirectory }),
    ...(options.onSlowStart ? { onSlowStart: options.onSlowStart } : {}),
    ...(options.onClickHouseState ? { onStateChange: options.onClickHouseState } : {}),
  })
  disposer.defer(() => embedded.stop())
  disposer.defer(await listenControl(dataDirectoryOf(options), embedded.url))
  return embedded
}

function outageOf({ state, failure, logFile }: EmbeddedClickHouse): PlanspanError | undefined {
  if (state === 'ready') return undefined
  return failure ?? new PlanspanError('clickhouse_failed', `ClickHouse is ${state}. Its log is ${logFile}.`)
}
