import type { Client } from '../../client/index.js'
import { PlanspanError } from '../../error.js'
import type { SpanStorage, Upkeep } from '../../server/index.js'
import { formatBytes, plural, formatDuration } from '../output/text-layout.js'
import { asPlanspanError } from '../server/as-planspan-error.js'
import { ok, warn, type Finding } from './finding.js'

/** A disk with a smaller free share, or that will be full in fewer days, is reported. */
const LEAST_SHARE = 0.1
const LEAST_DAYS = 14
/** The longest forecast; a small store would otherwise have one of millions of days. */
const MOST_DAYS = 3_650

/** Checks the free space of the disks, and how many days it lasts at the rate of the last seven days. */
export const checkDisks = (disks: Upkeep['disks']): Finding[] =>
  disks.map(({ disk, free, total, used, week }): Finding => {
    const days = week === 0 ? Number.POSITIVE_INFINITY : Math.floor(free / (week / 7))
    const left = `The disk ${disk} has ${formatBytes(free)} of ${formatBytes(total)} free; the store uses ${formatBytes(used)}`
    const until = days <= MOST_DAYS ? `, and at the rate of the last week it is full in ${plural(days, 'day')}` : ''
    if (free >= total * LEAST_SHARE && days >= LEAST_DAYS) return ok(left + until)
    return warn(
      `${left}${until}. With a full disk, spans are rejected. \`planspan serve --retention DAYS\` drops old spans, ` +
        '--cold-after DAYS with --cold-data DIR moves them to another disk.',
    )
  })

/** Checks whether ClickHouse merges parts as fast as inserts create them. */
export function checkParts(tables: Upkeep['parts']): Finding[] {
  const many = tables.filter(({ most, delayAt }) => most * 2 >= delayAt)
  if (many.length > 0) return many.map((table) => warn(tooManyParts(table)))
  const most = tables.reduce((all, table) => Math.max(all, table.most), 0)
  return [ok(`No day of a table has more than ${String(most)} parts to merge`)]
}

const tooManyParts = ({ table, most, delayAt, refuseAt }: Upkeep['parts'][number]): string =>
  `A day of the table ${table} has ${String(most)} parts; with ${String(delayAt)} ClickHouse slows inserts down, with ` +
  `${String(refuseAt)} it rejects them. Send fewer and larger requests (docs/deployment.md#what-an-acknowledgement-costs-` +
  `and-what-senders-should-set), and find the reason why ClickHouse does not merge them in system.merges and its log.`

/** Checks which disks store the spans, if there are several. */
export async function checkStorage(client: Pick<Client, 'storage'>): Promise<Finding[]> {
  let storage: SpanStorage
  try {
    storage = await client.storage()
  } catch (thrown) {
    const error = asPlanspanError(thrown)
    if (!(error instanceof PlanspanError)) throw error
    // A server of an earlier version.
    if (error.code === 'not_found') return []
    return [warn(`The disks of the spans are unknown: ${error.message}`)]
  }
  const { disks, cold } = storage
  const late = cold === null ? [] : disks.filter(({ volume, oldestDays }) => isLate(oldestDays, cold, volume))
  return [
    ...(disks.length > 1
      ? disks.map(({ disk, volume, rows, bytes }) =>
          ok(`The disk ${disk}, volume ${volume}, stores ${plural(rows, 'row')} of spans, ${formatBytes(bytes)}`),
        )
      : []),
    ...late.map(({ disk, oldestDays }) =>
      warn(
        `Spans on the disk ${disk} are ${plural(oldestDays, 'day')} old, but should have moved to the volume ` +
          `${cold?.volume ?? ''} after ${plural(cold?.afterDays ?? 0, 'day')}. Check whether its disk is full, and look for ` +
          `the reason in ClickHouse's log.`,
      ),
    ),
  ]
}

/** Moving takes time, so a delay of one day is normal. */
const isLate = (oldestDays: number, cold: NonNullable<SpanStorage['cold']>, volume: string): boolean =>
  volume !== cold.volume && oldestDays > cold.afterDays

/** Checks the senders of the last day's spans for clocks that are ahead and for dropped values. */
export function checkSenders(senders: Upkeep['senders']): Finding[] {
  const findings = senders.flatMap(({ service, aheadMs, incomplete, dropped }) => [
    ...(aheadMs > 0
      ? [
          warn(
            `Spans of the service ${service} end ${formatDuration(aheadMs)} in the future: its clock is ahead. Synchronize it ` +
              '(NTP); otherwise its plans appear in the wrong order and seem to overlap.',
          ),
        ]
      : []),
    ...(incomplete > 0
      ? [
          warn(
            `${plural(incomplete, 'span')} of the service ${service} lack ${plural(dropped, 'value')} that could not be ` +
              `sent, so their records are partial. \`planspan export --verdict partial\` lists them, and the agent's standard ` +
              'error contains the reasons.',
          ),
        ]
      : []),
  ])
  return findings.length > 0 ? findings : [ok('No span of the last day ends in the future or lacks values')]
}
