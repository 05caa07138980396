import { PlanspanError } from '../../error.js'

/** The ages at which spans move and are dropped; see docs/deployment.md. */
export interface Ageing {
  /** Days after which ClickHouse drops spans. @default never */
  readonly retentionDays?: number | undefined
  /** The volume to which old spans move. @default no volume */
  readonly cold?: ColdVolume | undefined
}

/** A volume of one of ClickHouse's storage policies, and the days after which spans move there. */
export interface ColdVolume {
  readonly policy: string
  readonly volume: string
  readonly afterDays: number
}

/** ClickHouse computes a TTL as DateTime, which ends in 2106; a later time would overflow into the past. */
const MAX_AGE_DAYS = 10_000

/** Throws `usage` for an invalid number of days, and if spans would be dropped before they move. */
export function checkAges(retentionDays: number | undefined, coldAfterDays: number | undefined): void {
  checkDays('The retention', retentionDays)
  checkDays('The age at which spans move', coldAfterDays)
  if (retentionDays === undefined || coldAfterDays === undefined || coldAfterDays < retentionDays) return
  throw new PlanspanError(
    'usage',
    `Spans would be dropped after ${days(retentionDays)} and move after ${days(coldAfterDays)}. ` +
      'Let them move earlier (--cold-after), or keep them longer (--retention).',
  )
}

function checkDays(what: string, count: number | undefined): void {
  if (count === undefined || (Number.isInteger(count) && count > 0 && count <= MAX_AGE_DAYS)) return
  throw new PlanspanError(
    'usage',
    `${what} is a whole number of days from 1 to ${String(MAX_AGE_DAYS)}, not ${String(count)}.`,
  )
}

const days = (count: number): string => `${String(count)} ${count === 1 ? 'day' : 'days'}`
