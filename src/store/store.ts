import type { ClickHouseClient } from '@clickhouse/client'

import type { ColdVolume } from './ageing/index.js'
import { readSpanStorage, type SpanStorage } from './ageing/span-storage.js'
import { createStoreClient } from './client/client.js'
import { checkRoom, readSpanLayout, type SpanLayout } from './upkeep/disks.js'
import { erasePlan, type Erased, type EraseOptions } from './erase/erase-plan.js'
import { createStoreMetrics, type StoreMetrics } from './metrics/index.js'
import { migrate } from './schema/migrate.js'
import { priceModels, type PriceList, type PriceModelsOptions } from './prices.js'
import { readRows, type Reserve } from './client/query.js'
import { checkMayIndex, explainFailure, mayJournal, mayWrite } from './rights.js'
import { createSpanReader, type SpanReader } from './reader.js'
import { checkDatabaseName } from './client/sql-file.js'
import { repair, type Repair } from './upkeep/repair.js'
import { type BrokenPart, readBrokenParts, readUpkeep, type Upkeep } from './upkeep/index.js'
import { createTraceReader, type TraceReader } from './traces/trace-reader.js'

export interface StoreOptions {
  /** `http[s]://[user[:password]@]host[:port]` of a ClickHouse server's HTTP interface. */
  url: string
  /** @default 'otel' */
  database?: string
  /**
   * Days after which ClickHouse drops spans.
   * @default no limit
   */
  retentionDays?: number
  /**
   * The volume to which ClickHouse moves old spans.
   * @default no volume
   */
  cold?: ColdVolume
  /**
   * The URLs of a cluster's hosts, separated by commas, for work that runs on each host.
   * @default the hosts of ClickHouse's configuration, at the port and with the user of `url`
   */
  hosts?: string
  /** Space on the disk for acknowledged spans. @default none */
  reserve?: Reserve | undefined
  /** Resolves when acknowledged spans can be read; readers wait for it. */
  settled?: () => Promise<void>
  /** Resolves when the rows of acknowledged spans are written; readers of rows wait for it. */
  indexed?: () => Promise<void>
}

export interface StoreHealth {
  /** ClickHouse's version. */
  readonly version: string
  /** ClickHouse's clock minus this machine's, milliseconds, corrected by half of the round trip. */
  readonly clockDifferenceMs: number
}

/** One ClickHouse database as planspan's store. */
export interface Store {
  readonly client: ClickHouseClient
  readonly database: string
  readonly reader: SpanReader
  readonly traces: TraceReader
  readonly metrics: StoreMetrics
  /** Migrates the database to planspan's schema. Throws `schema_mismatch`, `store_unreachable`, `access_denied`. */
  migrate(): Promise<void>
  /** Asks ClickHouse for its version and its clock. Throws `store_unreachable`. */
  ping(): Promise<StoreHealth>
  /** Whether the user may store spans. Never throws. */
  mayWrite(): Promise<boolean>
  /** Throws `access_denied` for a user who may store spans but not index them. */
  checkMayIndex(): Promise<void>
  /** Throws `disk_full` if there is no space for more spans. Does nothing if the user may not read the free space. */
  checkRoom(): Promise<void>
  /** Whether the user may use the journal. Never throws. */
  mayJournal(): Promise<boolean>
  /** Asks ClickHouse on which disks the spans lie. Throws `store_unreachable`, `clickhouse_failed`. */
  storage(): Promise<SpanStorage>
  /** Erases a plan; throws what `erasePlan` throws. */
  erase(id: string, options?: EraseOptions): Promise<Erased>
  /** Reads the state of disks, parts, tables and senders. Throws `store_unreachable`, `clickhouse_failed`. */
  upkeep(): Promise<Upkeep>
  /** Reads the parts that ClickHouse could not read and has set aside. */
  brokenParts(): Promise<BrokenPart[]>
  /**
   * Replaces what set-aside parts of derived tables contained: fills lookups from the spans, and returns the times from
   * which traces have to be indexed again, Unix seconds. Drops these parts after `done`.
   */
  repair(parts: readonly BrokenPart[]): Promise<Repair>
  /** Reads how the span table is laid out on disk. */
  spanLayout(): Promise<SpanLayout>
  /** Writes the prices of a list, also for models in use. Returns the models with a new price. */
  priceModels(list: PriceList, options?: PriceModelsOptions): Promise<string[]>
  close(): Promise<void>
}

/** Creates a store at a URL. Nothing is sent until it is used. */
export function createStore({
  url,
  database = 'otel',
  retentionDays,
  cold,
  hosts,
  reserve,
  settled,
  indexed,
}: StoreOptions): Store {
  checkDatabaseName(database)
  const client = createStoreClient({ url })
  const target = { client, url, database, reserve }
  const readTarget = { url, database, reserve, ...(settled && { settled }), ...(indexed && { indexed }) }
  return {
    client,
    database,
    reader: createSpanReader(client, readTarget),
    traces: createTraceReader(client, readTarget),
    metrics: createStoreMetrics(target),
    async migrate() {
      try {
        await migrate(client, {
          database,
          ...(retentionDays === undefined ? {} : { retentionDays }),
          ...(cold && { cold }),
        })
      } catch (error) {
        throw await explainFailure('owner', error, target)
      }
    },
    async ping() {
      const before = Date.now()
      const [row] = await readRows<{ version: string; now: string }>(
        target,
        'SELECT version() AS version, toString(toUnixTimestamp64Milli(now64(3))) AS now',
      )
      const middle = (before + Date.now()) / 2
      return { version: row?.version ?? '', clockDifferenceMs: Math.round(Number(row?.now) - middle) }
    },
    mayWrite: () => mayWrite(target),
    checkMayIndex: () => checkMayIndex(target),
    checkRoom: () => checkRoom(target),
    mayJournal: () => mayJournal(target),
    storage: () => readSpanStorage(target),
    erase: (id, options = {}) => erasePlan({ client, ...readTarget }, id, { ...options, hosts }),
    upkeep: () => readUpkeep(target),
    brokenParts: () => readBrokenParts(target),
    repair: (parts) => repair(target, parts),
    spanLayout: () => readSpanLayout(target),
    priceModels: (list, options) => priceModels({ client, ...readTarget }, list, options),
    close: () => client.close(),
  }
}
