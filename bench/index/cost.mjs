import { openIndexers } from '../../dist/indexer/index.js'
import { make } from '../density/make.mjs'
import { number } from '../settle.mjs'
import { indexAll } from './index-all.mjs'

/**
 * CPU seconds per million spans. The indexer of another database, with as many spans, warms up the compiler.
 * It stays open, because the thread that all indexers share ends with the last of them.
 */
export async function measureCost(open, { spans, foreign }) {
  const warm = await open('warm')
  await make(warm, { spans, layout: 'density', foreign })
  const warming = await openIndexers(warm)
  await warming.catchUp()
  const target = await open('measured')
  await make(target, { spans, layout: 'density', foreign })
  const { status, node, clickhouse } = await indexAll(target)
  await warming.close()
  const millions = status.indexedRows / 1e6
  const bytes = await number(
    target.client,
    `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = '${target.database}' AND table LIKE '%_rows'`,
  )
  return [
    {
      spans: status.indexedRows,
      'rows written': status.writtenRows,
      'CPU s a million': ((node + clickhouse) / millions).toFixed(1),
      'of it Node': (node / millions).toFixed(1),
      'of it ClickHouse': (clickhouse / millions).toFixed(1),
      'bytes of rows a span': (bytes / status.indexedRows).toFixed(1),
    },
  ]
}
