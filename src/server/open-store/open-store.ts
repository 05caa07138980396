import type { ReadingEngines } from '../../clickhouse/index.js'
import { openIndexers, type RunningIndexer } from '../../indexer/index.js'
import { narrow } from '../../otlp/index.js'
import { DEFAULT_YEARS, spanTimesOf, type SpanTimes } from '../../semconv/index.js'
import {
  createSelector,
  createStore,
  type ColdVolume,
  type Reserve,
  type Selector,
  type Store,
} from '../../store/index.js'
import { createSpanWriter, type SpanWriter } from '../../store/ingest/index.js'
import { IngestMeter } from '../../store/metrics/index.js'
import { Disposer } from '../async.js'
import { keepJournal } from './keep-journal.js'
import { keepPrices, loadPriceList } from './keep-prices.js'
import { keepWhole } from './keep-whole.js'
import { afterWrite, readOwnWrites, settledInTime } from './read-own-writes.js'

/** The options of a ClickHouse database. */
export interface OpenStoreOptions {
  /** `http[s]://[user[:password]@]host[:port]` of ClickHouse's HTTP interface. */
  readonly clickhouseUrl: string
  /** The name of the database. @default 'otel' */
  readonly database?: string | undefined
  /** The retention of spans, days; older spans are rejected. @default no limit */
  readonly retentionDays?: number | undefined
  /** The maximum age of accepted spans, years; older spans are rejected. @default 10 */
  readonly timeWindowYears?: number | undefined
  /** Like `clickhouseUrl`, with a read-only user that runs SQL queries. @default SQL is rejected */
  readonly readerUrl?: string | undefined
  /** Separate engines, in which SQL queries run. @default they run in the ClickHouse of `readerUrl` */
  readonly readerEngines?: ReadingEngines | undefined
  /** Space on ClickHouse's disk for acknowledged spans. @default none */
  readonly reserve?: Reserve | undefined
  /** The volume of a ClickHouse storage policy to which old spans move. @default none */
  readonly cold?: ColdVolume | undefined
  /** The URLs of a cluster's hosts, separated by commas. @default the hosts in ClickHouse's configuration */
  readonly hosts?: string | undefined
  /** Receives the message of an error after which the indexer retries. @default none */
  readonly onIndexerError?: ((message: string) => void) | undefined
  /** Receives the reason why spans cannot be stored at present. @default none */
  readonly onStoringError?: ((message: string) => void) | undefined
  /** Receives the description of each part that ClickHouse has set aside. @default none */
  readonly onDamage?: ((message: string) => void) | undefined
}

/** A ClickHouse database with planspan's tables, open for reading and writing. Can be passed to `createApp` as is. */
export interface OpenStore {
  readonly store: Store
  readonly writer: SpanWriter
  /** Counts what the writer stores. */
  readonly meter: IngestMeter
  /** Runs users' SQL queries. */
  readonly sql?: Selector
  /** Writes the rows of plans; undefined if the user may only read. */
  readonly indexer?: RunningIndexer
  /** The oldest start time that the retention keeps, Unix nanoseconds; older spans would be dropped at once. */
  readonly refuseBefore?: () => bigint
  /** The times at which spans may start. */
  readonly spanTimes: () => SpanTimes
  /** Stores all accepted requests, then closes the connections to ClickHouse. Idempotent. */
  close(): Promise<void>
}

const MS_PER_DAY = 86_400_000

/**
 * Migrates a database to planspan's schema and opens it. Throws `store_unreachable`, `schema_mismatch`, and `usage` for
 * an invalid database name or option, and an unknown cold volume.
 *
 * @example
 * const opened = await openStore({ clickhouseUrl: 'http://planspan:secret@127.0.0.1:8123' })
 * const app = new Hono().route('/planspan', createApp(opened))
 */
export async function openStore({
  clickhouseUrl,
  database,
  retentionDays,
  timeWindowYears = DEFAULT_YEARS,
  readerUrl,
  readerEngines,
  reserve,
  cold,
  hosts,
  onIndexerError,
  onStoringError = () => {},
  onDamage = () => {},
}: OpenStoreOptions): Promise<OpenStore> {
  const disposer = new Disposer()
  try {
    // Without a writer, nothing is acknowledged.
    const acknowledged = { settled: () => Promise.resolve(), indexed: () => Promise.resolve() }
    const store = createStore({
      url: clickhouseUrl,
      ...(database === undefined ? {} : { database }),
      ...(retentionDays === undefined ? {} : { retentionDays }),
      ...(cold && { cold }),
      ...(hosts === undefined ? {} : { hosts }),
      reserve,
      settled: () => acknowledged.settled(),
      indexed: () => acknowledged.indexed(),
    })
    disposer.defer(() => store.close())
    const [list] = await Promise.all([loadPriceList(), store.migrate()])
    const prices = await keepPrices(store, list)
    disposer.defer(async () => prices.stop())
    const target = { client: store.client, url: clickhouseUrl, database: store.database, reserve }
    const meter = new IngestMeter()
    const writer = createSpanWriter({ ...target, narrow, journal: await store.mayJournal(), meter })
    disposer.defer(() => writer.close())
    acknowledged.settled = () => settledInTime(writer)
    const sql =
      readerUrl === undefined
        ? undefined
        : createSelector({
            url: readerUrl,
            database: store.database,
            apart: readerEngines && { engines: readerEngines, owner: target },
            settled: async () => {
              await settledInTime(writer)
              await acknowledged.indexed()
            },
          })
    disposer.defer(async () => sql?.close())
    const mayWrite = await store.mayWrite()
    if (mayWrite) await store.checkMayIndex()
    const indexer = mayWrite
      ? await openIndexers(target, {
          hosts,
          onModels: (models) => prices.look(models),
          onError: onIndexerError,
        })
      : undefined
    disposer.defer(async () => indexer?.close())
    const reading = indexer && readOwnWrites(writer, indexer)
    if (reading) acknowledged.indexed = reading.indexed
    prices.onChange(() => indexer?.reprice())
    const noting = afterWrite(writer, () => reading?.wrote())
    const stopKeeping = await keepJournal(noting, { checkRoom: store.checkRoom, reserve, onError: onStoringError })
    disposer.defer(async () => stopKeeping())
    const stopRepairing = keepWhole(store, indexer, onDamage)
    disposer.defer(async () => stopRepairing())
    return {
      store,
      writer: noting,
      meter,
      ...(indexer && { indexer }),
      ...(sql && { sql }),
      ...(retentionDays === undefined ? {} : { refuseBefore: () => oldestKept(retentionDays) }),
      spanTimes: () => spanTimesOf(timeWindowYears, Date.now()),
      close: () => disposer.dispose(),
    }
  } catch (error) {
    await disposer.dispose()
    throw error
  }
}

/** ClickHouse drops a span as soon as its retention has passed. */
const oldestKept = (retentionDays: number): bigint => BigInt(Date.now() - retentionDays * MS_PER_DAY) * 1_000_000n
