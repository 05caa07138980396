import type { Upkeep } from '../../server/index.js'
import type { Finding } from './doctor.js'
import { formatBytes, plural } from '../output/text-layout.js'

/** A disk that is fuller than this, or full in fewer days, is told. */
const LEAST_SHARE = 0.1
const LEAST_DAYS = 14

/** Checks how much room there is, and for how many days as the last seven were. */
export const checkDisks = (disks: Upkeep['disks']): Finding[] =>
  disks.map(({ disk, free, total, used, week }): Finding => {
    const days = week === 0 ? Number.POSITIVE_INFINITY : Math.floor(free / (week / 7))
    const left = `The disk ${disk} has ${formatBytes(free)} of ${formatBytes(total)} left; the store takes ${formatBytes(used)}`
    const until = Number.isFinite(days) ? `, and at the rate of the last week it is full in ${plural(days, 'day')}` : ''
    if (free >= total * LEAST_SHARE && days >= LEAST_DAYS) return { level: 'ok', text: left + until }
    return {
      level: 'warn',
      text:
        `${left}${until}. A full disk refuses spans. \`planspan serve --retention DAYS\` drops old spans, --cold-after DAYS ` +
        'with --cold-data DIR moves them to another disk.',
    }
  })
