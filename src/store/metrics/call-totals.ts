import { storeError } from '../client.js'
import { querySql, readRows, type QueryTarget } from '../query.js'
import { OVER } from '../views/state-sql.js'
import { DURATION_BOUNDS, NANOSECONDS, TOKEN_BOUNDS } from './call-bounds.js'
import { FreshParts } from './fresh-parts.js'
import type { HistogramValue } from './histogram.js'

/** What is measured of model calls: how long they took, or how many tokens of a kind they had. */
export type Measure = 'duration' | 'input' | 'output'

/** All model calls with the same attributes; '' stands for one that is not told. */
export interface CallTotal {
  readonly measure: Measure
  readonly provider: string
  readonly model: string
  readonly responseModel: string
  /** Of durations alone. */
  readonly errorType: string
  /** Seconds or tokens. */
  readonly sizes: HistogramValue
}

interface TotalRow extends Omit<CallTotal, 'sizes'> {
  readonly counts: readonly string[]
  readonly total: string
}

interface ChangedHour {
  /** Unix seconds. */
  readonly hour: number
  readonly checksum: string
}

const HOUR = 3600
/** So many hours are worked out at once at most. */
const HOURS_AT_ONCE = 24
/** So many sets of attributes are told apart: names come from whoever sends spans. */
const MAX_SETS = 1000

/**
 * The totals of all model calls that were ever found. Each hour is worked out anew when calls of it have come, however
 * late, and what is dropped or erased is counted for good.
 */
export class CallTotals {
  readonly #target: QueryTarget
  readonly #parts: FreshParts

  constructor(target: QueryTarget) {
    this.#target = target
    this.#parts = new FreshParts(target)
  }

  /** Throws `store_unreachable`, `schema_mismatch`, `clickhouse_failed`. */
  async read(): Promise<CallTotal[]> {
    const { database } = this.#target
    const rows = await readRows<TotalRow>(this.#target, querySql('call_totals', { database }))
    return rows.map(({ counts, total, ...told }) => {
      const isTime = told.measure === 'duration'
      const bounds = isTime ? DURATION_BOUNDS : TOKEN_BOUNDS
      const sum = Number(total) / (isTime ? NANOSECONDS : 1)
      return { ...told, sizes: { bounds, counts: counts.map(Number), sum } }
    })
  }

  /** Counts what has come; returns whether anything has. Throws what `read` throws, and `access_denied`. */
  async update(): Promise<boolean> {
    let isChanged = false
    await this.#parts.look(async ({ from, to }) => {
      const query = querySql('changed_hours', { database: this.#target.database })
      const hours = await readRows<ChangedHour>(this.#target, query, { from, to })
      for (const batch of batchesOf(hours)) await this.#workOut(batch)
      isChanged ||= hours.length > 0
    })
    return isChanged
  }

  /** The hours ascend. */
  async #workOut(batch: readonly ChangedHour[]): Promise<void> {
    const hours = batch.map(({ hour }) => hour)
    const from = BigInt(hours.at(0) ?? 0) * BigInt(NANOSECONDS)
    const to = BigInt((hours.at(-1) ?? 0) + HOUR) * BigInt(NANOSECONDS) - 1n
    const { client, database, url } = this.#target
    const insert = client.command({
      query: querySql('total_calls', { database, over: OVER }),
      query_params: {
        from: String(from),
        to: String(to),
        hours,
        checksums: batch.map(({ checksum }) => BigInt(checksum)),
        room: MAX_SETS,
        durationBounds: DURATION_BOUNDS.map((seconds) => Math.round(seconds * NANOSECONDS)),
        tokenBounds: TOKEN_BOUNDS,
      },
      clickhouse_settings: { async_insert: 0, wait_end_of_query: 1, distributed_foreground_insert: 1 },
    })
    await insert.catch((error: unknown) => {
      throw storeError(error, { url, database })
    })
  }
}

/** Hours that lie within a day of each other; what is worked out together must fit into memory. */
function batchesOf(hours: readonly ChangedHour[]): ChangedHour[][] {
  const batches: ChangedHour[][] = []
  for (const one of hours) {
    const batch = batches.at(-1)
    const [first] = batch ?? []
    if (batch && first && one.hour - first.hour < HOURS_AT_ONCE * HOUR) batch.push(one)
    else batches.push([one])
  }
  return batches
}
