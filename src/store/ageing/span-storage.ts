import { querySql, readRows, type QueryTarget } from '../client/query.js'
import { storeError } from '../client/store-error.js'
import { whileAlive } from '../client/while-alive.js'
import { readAgeing } from './ageing-table.js'
import { kindOfTtl } from './ttl.js'

/** Where the spans lie. */
export interface SpanStorage {
  /** Empty where ClickHouse's storage policy `default` has all of them. */
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

/** Reads where the spans lie. Throws `store_unreachable`, and `clickhouse_failed` for a user who may not know. */
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
  // Only a user with more rights than others need may read further.
  if (policy === 'default' || policy === '') return { disks: [], cold }
  return { disks: await readRows(target, querySql('span_disks', {}), { database, policy }), cold }
}

const DAYS_TO_VOLUME = / toIntervalDay\((\d+)\) TO VOLUME '(\w+)'$/
