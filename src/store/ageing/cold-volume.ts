import { ClickHouseError, type ClickHouseClient } from '@clickhouse/client'

import { PlanspanError } from '../../error.js'
import { selectRows } from '../client/client.js'
import type { ColdVolume } from './ages.js'

const GUIDE = 'docs/deployment.md#cold-data'

/** A storage policy and its volumes; new spans go to the first. */
interface StoragePolicy {
  readonly policy: string
  readonly volumes: readonly string[]
}

/**
 * Puts a table on the storage policy of a cold volume, which moves nothing yet. Throws `usage` if ClickHouse has no
 * such policy or volume, or if the policy lacks a disk that the table has.
 */
export async function useStoragePolicy(
  client: ClickHouseClient,
  table: string,
  { policy, volume }: ColdVolume,
  current: string,
): Promise<void> {
  const policies = await selectRows<StoragePolicy>(client, POLICIES)
  const found = policies.find((other) => other.policy === policy)
  if (found === undefined) {
    throw refused(
      `ClickHouse has no storage policy ${policy}; it has ${policies.map(describe).join('; ')}. ` +
        `Configure one as ${GUIDE} shows, or name another`,
    )
  }
  const place = found.volumes.indexOf(volume)
  if (place === -1) {
    throw refused(`The storage policy ${policy} has no volume ${volume}; it has ${describe(found)}. Name another`)
  }
  if (place === 0) {
    throw refused(
      `New spans are written to the volume ${volume}, the first of the storage policy ${policy}, so none would move. ` +
        `It has ${describe(found)}. Name another`,
    )
  }
  if (current === policy) return
  try {
    await client.command({ query: `ALTER TABLE ${table} MODIFY SETTING storage_policy = '${policy}'` })
  } catch (error) {
    if (!(error instanceof ClickHouseError) || error.code !== BAD_ARGUMENTS) throw error
    throw refused(
      `${table} is on the storage policy ${current}, which ClickHouse replaces only by one that has its volumes and ` +
        `disks, too (${error.message}). Change ${policy} in ClickHouse's configuration as ${GUIDE} shows, or name another`,
      error,
    )
  }
}

const BAD_ARGUMENTS = '36'

const refused = (text: string, cause?: unknown): PlanspanError =>
  new PlanspanError('usage', `${text} with --cold-volume POLICY.VOLUME.`, { cause })

const describe = ({ policy, volumes }: StoragePolicy): string =>
  volumes.map((volume) => `${policy}.${volume}`).join(', ')

const POLICIES = `
  SELECT policy_name AS policy, arrayMap(v -> v.2, arraySort(groupArray((volume_priority, volume_name)))) AS volumes
  FROM system.storage_policies GROUP BY policy ORDER BY policy`
