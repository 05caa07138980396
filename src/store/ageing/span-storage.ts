import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { storeError } from '../client/store-error.js'
import { whileAlive } from '../client/while-alive.js'
import { readAgeing, kindOfTtl } from './ageing-table.js'

/** The disks that contain the spans. */
export interface SpanStorage {
  /** Empty for ClickHouse's storage policy `default`. */
  readonly disks: readonly SpanDisk[]
  /** The days after which spans move to a volume; null if none do. */
  readonly cold: { readonly volume: string; readonly afterDays: number } | null
}

/** The spans on one disk. */
export interface SpanDisk {
  readonly disk: string
  readonly volume: string
  readonly rows: number
  readonly bytes: number
  /** The age of the newest span in the oldest part, whole days: parts move when this one is old enough. */
  readonly oldestDays: number
}

/** Reads the disks of the spans. Throws `store_unreachable`, and `clickhouse_failed` for a user without the rights. */
export async function readSpanStorage(target: QueryTarget): Promise<SpanStorage> {
  const { client, database } = target
  const reading = whileAlive(target.url, readAgeing(client, database, ['otel_traces']))
  const tables = await reading.catch((error: unknown) => {
    throw storeError(error, target)
  })
  const { ttl = [], policy = 'default' } = tables.get('otel_traces') ?? {}
  const [, days, volume] =
    ttl.filter((part) => kindOfTtl(part) === 'move').map((part) => DAYS_TO_VOLUME.exec(part))[0] ?? []
  const cold = volume === undefined ? null : { volume, afterDays: Number(days) }
  // The rest needs more rights than a reader has.
  if (policy === 'default' || policy === '') return { disks: [], cold }
  return { disks: await readRows(target, querySql('span_disks', {}), { database, policy }), cold }
}

const DAYS_TO_VOLUME = / toIntervalDay\((\d+)\) TO VOLUME '(\w+)'$/
