import type { Client } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import type { SpanDisk, SpanStorage } from '../../server/index.js'
import type { Finding } from './doctor.js'
import { asPlanspanError } from '../server/as-planspan-error.js'
import { formatBytes, plural } from '../output/text-layout.js'

/** Checks on which disks the spans lie, where there are several. */
export async function checkStorage(client: Pick<Client, 'storage'>): Promise<Finding[]> {
  let storage: SpanStorage
  try {
    storage = await client.storage()
  } catch (thrown) {
    const error = asPlanspanError(thrown)
    if (!(error instanceof PlanspanError)) throw error
    // A server of an earlier version.
    if (error.code === 'not_found') return []
    return [{ level: 'warn', text: `It is not known on which disks the spans lie: ${error.message}` }]
  }
  const { disks, cold } = storage
  const late = cold === null ? [] : disks.filter(({ volume, oldestDays }) => isLate(oldestDays, cold, volume))
  return [
    ...(disks.length > 1 ? disks.map((disk): Finding => ({ level: 'ok', text: describe(disk) })) : []),
    ...late.map(({ disk, oldestDays }): Finding => ({
      level: 'warn',
      text:
        `Spans on the disk ${disk} are ${plural(oldestDays, 'day')} old, and should have moved to the volume ` +
        `${cold?.volume ?? ''} after ${plural(cold?.afterDays ?? 0, 'day')}. Look whether its disk is full, and into ` +
        `ClickHouse's log for why they do not.`,
    })),
  ]
}

/** Moving takes its time: a day is none too late. */
const isLate = (oldestDays: number, cold: NonNullable<SpanStorage['cold']>, volume: string): boolean =>
  volume !== cold.volume && oldestDays > cold.afterDays

const describe = ({ disk, volume, rows, bytes }: SpanDisk): string =>
  `On the disk ${disk}, volume ${volume}, lie ${plural(rows, 'row')} of spans, ${formatBytes(bytes)}`
