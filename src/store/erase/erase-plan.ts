import { setTimeout as delay } from 'node:timers/promises'

import { PlanspanError } from '../../error.js'
import { createStoreClient } from '../client/client.js'
import { readRows, type QueryTarget } from '../client/query.js'
import { hostUrls, namedUrls, readClusterHosts } from '../cluster/hosts.js'
import { clusterOf } from '../cluster/shards.js'
import { explainFailure } from '../rights.js'
import type { Layout } from '../schema/layout.js'
import { checkRoom } from '../upkeep/disks.js'
import { eraseRest, eraseSpans } from './erase-traces.js'
import { findErased, type EraseChoice, type FoundErased } from './find-erased.js'

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
 * `disk_full`, `access_denied`, `store_unreachable`, `clickhouse_failed`.
 */
export async function erasePlan(
  target: QueryTarget,
  id: string,
  { hosts, reindex, ...options }: EraseOptions & { readonly hosts?: string | undefined },
): Promise<Erased> {
  // Deleting rows rewrites their parts, and a full disk would stop it halfway.
  await checkRoom(target)
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
      throw await explainFailure('eraser', error, host)
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

/** The servers with the rows of a database, and their layout. */
interface ErasedHosts {
  readonly urls: readonly string[]
  readonly layout: Layout
}

/**
 * Finds the servers of a database: those of the cluster that its Distributed tables name. Throws `usage` if `hosts` has
 * to name their URLs.
 */
async function findHosts(target: QueryTarget, hosts: string | undefined): Promise<ErasedHosts> {
  const { client, url, database } = target
  const name = await clusterOf(target)
  if (name === undefined) return { urls: [url], layout: { database } }
  const urls = hosts === undefined ? hostUrls(await readClusterHosts(client, name), url) : namedUrls(hosts, url)
  return { urls, layout: { database, cluster: { name, isReplicated: false } } }
}

/** A request is normally moved from the journal to the tables within seconds. */
const JOURNAL_TIMEOUT_MS = 20_000
const PAUSE_MS = 100
/** ClickHouse's maximum number of needles per search. */
const NEEDLES = 200

/**
 * Resolves when a server's journal contains no spans of some traces, since these would be stored after the erasure.
 * Throws `store_busy` on timeout.
 */
async function journalPassed(target: QueryTarget, traceIds: readonly string[]): Promise<void> {
  const until = performance.now() + JOURNAL_TIMEOUT_MS
  for (let at = 0; at < traceIds.length; at += NEEDLES) {
    while (await contains(target, traceIds.slice(at, at + NEEDLES))) {
      if (performance.now() > until) throw isInJournal()
      await delay(PAUSE_MS)
    }
  }
}

/** Whether the journal contains spans of some traces. Protobuf contains ids as bytes, JSON as text. */
async function contains(target: QueryTarget, traceIds: readonly string[]): Promise<boolean> {
  const rows = await readRows(
    target,
    `SELECT 1 FROM ${target.database}.otlp_journal
     WHERE multiSearchAny(Body, arrayMap(id -> unhex(id), {traceIds:Array(String)}))
       OR multiSearchAnyCaseInsensitive(Body, {traceIds:Array(String)})
     LIMIT 1`,
    { traceIds },
  )
  return rows.length > 0
}

const isInJournal = (): PlanspanError =>
  new PlanspanError(
    'store_busy',
    'The journal still contains spans of the plan, which another planspan has acknowledged. Nothing is erased. Try again in ' +
      'two minutes: by then a running planspan has moved them to the tables.',
  )
