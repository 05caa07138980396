// The receiver, a process of its own: node receiver.mjs CLICKHOUSE_URL DATABASE. Prints where it listens.
import { serve } from '@hono/node-server'
import { narrow } from '../../dist/otlp/index.js'
import { otlpRoute } from '../../dist/server/otlp-route.js'
import { createStoreClient } from '../../dist/store/index.js'
import { createSpanWriter } from '../../dist/store/ingest/index.js'

const [url, database] = process.argv.slice(2)
const writer = createSpanWriter({ client: createStoreClient({ url }), url, database, narrow })
const server = serve({ fetch: otlpRoute({ writer }).fetch, hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}/v1/traces` }))
})
process.on('SIGTERM', async () => {
  server.close()
  await writer.close()
  process.exit(0)
})
