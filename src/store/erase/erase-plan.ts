import { PlanspanError } from '../../error.js'
import { createStoreClient } from '../client/client.js'
import { storeError } from '../client/store-error.js'
import type { QueryTarget } from '../client/query.js'
import { deniedTo } from '../rights.js'
import { eraseRest, eraseSpans } from './erase-traces.js'
import { type ErasedHosts, findHosts } from './erased-hosts.js'
import { type EraseChoice, findErased, type FoundErased } from './find-erased.js'
import { journalPassed } from './journal-passed.js'

export interface EraseOptions extends EraseChoice {
  /** Whether to erase a plan that is not over. @default false */
  readonly running?: boolean | undefined
  /** Whether to erase the other plans of its traces, too. @default false */
  readonly together?: boolean | undefined
  /**
   * Makes the indexer read the traces again after their spans are deleted, so that it writes no more rows of them
   * before their rows are deleted. @default no indexer
   */
  readonly reindex?: ((traceIds: readonly string[]) => Promise<void>) | undefined
}

/** The result of an erasure. */
export interface Erased {
  readonly traceIds: readonly string[]
}

/** The timeout of a mutation, which rewrites the parts of a table. */
const TIMEOUT_MS = 3_600_000

/**
 * Erases a plan from all tables, with the whole traces that contain it. Can be interrupted anywhere and repeated.
 * Throws `not_found`, `conflict` for a plan that is not over or shares its traces with others, `store_busy`,
 * `access_denied`, `store_unreachable`, `clickhouse_failed`.
 */
export async function erasePlan(
  target: QueryTarget,
  id: string,
  { hosts, reindex, ...options }: EraseOptions & { readonly hosts?: string | undefined },
): Promise<Erased> {
  const found = await findErased(target, id, options)
  if (found.traceIds.length === 0) throw isMissing(id, options)
  checkConflicts(id, found, options)
  const at = await findHosts(target, hosts)
  // Dependent traces are erased first, so that a repeated erasure finds them again through the others.
  for (const traceIds of [found.belonging, found.traceIds]) {
    if (traceIds.length === 0) continue
    await onEachHost(target, at, async (host) => {
      await journalPassed(host, traceIds)
      await eraseSpans(host, at.layout, traceIds)
    })
    await reindex?.(traceIds)
    await onEachHost(target, at, (host) => eraseRest(host, at.layout, traceIds))
  }
  return { traceIds: [...found.traceIds, ...found.belonging] }
}

async function onEachHost(
  { database }: QueryTarget,
  { urls }: ErasedHosts,
  work: (host: QueryTarget) => Promise<void>,
): Promise<void> {
  for (const url of urls) {
    const client = createStoreClient({ url, requestTimeoutMs: TIMEOUT_MS })
    const host = { client, url, database }
    try {
      await work(host)
    } catch (error) {
      throw (await deniedTo('eraser', error, host)) ?? storeError(error, host)
    } finally {
      await client.close()
    }
  }
}

function checkConflicts(id: string, { others, isOpen }: FoundErased, { running, together }: EraseOptions): void {
  if (others.length > 0 && !together) {
    throw new PlanspanError(
      'conflict',
      `${JSON.stringify(id)} shares its traces with ${namesOf(others)}, and whole traces are erased. Erase that instead, ` +
        'or all of them together (--together, together=true).',
    )
  }
  if (isOpen && !running) {
    throw new PlanspanError(
      'conflict',
      `The plan ${JSON.stringify(id)} is not over, so later spans of it would be stored again. Erase it when it is over, or ` +
        'erase it nonetheless (--running, running=true).',
    )
  }
}

const SHOWN = 3

function namesOf(ids: readonly string[]): string {
  const names = ids.slice(0, SHOWN).map((id) => JSON.stringify(id))
  const more = ids.length - names.length
  return more > 0 ? `${names.join(', ')} and ${String(more)} more` : names.join(', ')
}

function isMissing(id: string, { source, trace }: EraseChoice): PlanspanError {
  const where = [
    ...(source === undefined ? [] : [` from the source ${JSON.stringify(source)}`]),
    ...(trace === undefined ? [] : [` in the trace ${JSON.stringify(trace)}`]),
  ]
  return new PlanspanError(
    'not_found',
    `No plan ${JSON.stringify(id)}${where.join('')} is stored. \`planspan list\` and GET /api/records list the stored plans.`,
  )
}
