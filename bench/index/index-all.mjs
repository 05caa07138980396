import { openIndexers } from '../../dist/indexer/index.js'
import { cpuSeconds } from '../ingest/processes.mjs'

/** Runs an indexer until it has caught up. Returns its status and the CPU seconds of this process and of ClickHouse. */
export async function indexAll(target) {
  const errors = []
  const before = { node: process.cpuUsage(), clickhouse: await cpuSeconds(target.clickhousePid) }
  const indexer = await openIndexers(target, { onError: (message) => errors.push(new Error(message)) })
  await indexer.catchUp()
  const { status } = indexer
  await indexer.close()
  if (errors.length > 0) throw errors[0]
  const { user, system } = process.cpuUsage(before.node)
  return {
    status,
    node: (user + system) / 1e6,
    clickhouse: (await cpuSeconds(target.clickhousePid)) - before.clickhouse,
  }
}
