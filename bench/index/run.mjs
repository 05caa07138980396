// What indexing costs, and how far behind it is.
//   npm run build && node bench/index/run.mjs [--spans 1000000] [--only own,foreign,growth,lag] [--seconds 60]
// own and foreign: CPU seconds per million spans, of planspan's own plans and with every second plan told as another
// instrumentation would. growth: a plan of 30,000 spans that arrives in pieces beside the same plan at once. lag: the
// time from the acknowledgement of a plan until its row can be read, at 11,600 spans a second.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { startClickHouse } from '../../dist/clickhouse/index.js'
import { createStore } from '../../dist/store/index.js'
import { machine, table } from '../figures.mjs'
import { measureCost } from './cost.mjs'
import { measureGrowth } from './growth.mjs'
import { measureLag } from './lag.mjs'

const PIECES = {
  own: (open, { spans }) => measureCost(open, { spans, foreign: false }),
  foreign: (open, { spans }) => measureCost(open, { spans, foreign: true }),
  growth: (open) => measureGrowth(open),
  lag: (open, { seconds }) => measureLag(open, seconds),
}
const { values } = parseArgs({
  options: {
    spans: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: Object.keys(PIECES).join(',') },
  },
})
const options = { spans: Number(values.spans), seconds: Number(values.seconds) }
console.log(machine())
for (const name of values.only.split(',')) {
  const measure = PIECES[name]
  if (!measure) throw new Error(`--only takes ${Object.keys(PIECES).join(', ')}, not ${name}`)
  const rows = await withStore((open) => measure(open, options))
  console.log(`\n## ${name}\n\n${table(Object.keys(rows[0]), rows.map(Object.values))}`)
}

/** Calls back with a ClickHouse of its own, and how to open a new database in it. */
async function withStore(work) {
  const directory = await mkdtemp(join(tmpdir(), 'planspan-bench-'))
  const clickhouse = await startClickHouse({ dataDirectory: directory })
  const stores = []
  try {
    return await work(async (database) => {
      const store = createStore({ url: clickhouse.url, database })
      stores.push(store)
      await store.migrate()
      return { client: store.client, url: clickhouse.url, database, clickhousePid: clickhouse.pid }
    })
  } finally {
    for (const store of stores) await store.close()
    await clickhouse.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
