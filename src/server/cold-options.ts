import { COLD_VOLUME, type EmbeddedClickHouse } from '../clickhouse/index.js'
import { PlanspanError } from '../error.js'
import type { ColdVolume } from '../store/ageing/index.js'
import type { ServerOptions } from './start-server.js'

/** Returns the cold volume of an external ClickHouse. Throws `usage` for conflicting options. */
export function coldVolumeOf(options: ServerOptions): ColdVolume | undefined {
  const { clickhouse, coldAfterDays: afterDays, coldDirectory, coldVolume } = options
  if (clickhouse === undefined) {
    if (coldVolume === undefined) return undefined
    throw misfit(
      '--cold-volume names one in a ClickHouse given with --clickhouse. For the embedded one give --cold-data',
    )
  }
  if (coldDirectory !== undefined) {
    throw misfit('--cold-data is for the embedded ClickHouse. For one given with --clickhouse give --cold-volume')
  }
  if ((afterDays === undefined) !== (coldVolume === undefined)) {
    throw misfit('With --clickhouse, --cold-after and --cold-volume go together. Give both, or neither')
  }
  if (afterDays === undefined || coldVolume === undefined) return undefined
  const [, policy, volume] = /^(\w+)\.(\w+)$/.exec(coldVolume) ?? []
  if (policy !== undefined && volume !== undefined) return { policy, volume, afterDays }
  throw misfit(`--cold-volume takes a storage policy and one of its volumes, as tiered.cold, not "${coldVolume}"`)
}

/** Returns the cold volume of the embedded ClickHouse, which stores its directory. Throws `usage` without one. */
export function embeddedColdVolume(
  { coldDirectory }: EmbeddedClickHouse,
  { coldAfterDays }: ServerOptions,
): ColdVolume | undefined {
  if (coldAfterDays === undefined) return undefined
  if (coldDirectory !== undefined) return { ...COLD_VOLUME, afterDays: coldAfterDays }
  throw misfit('--cold-after needs a directory on another disk, to which spans move. Name it with --cold-data')
}

const misfit = (text: string): PlanspanError => new PlanspanError('usage', `${text}.`)
