// planspan's receiver without its indexer, a process of its own: node unindexed.mjs URL DATABASE. Prints its URL as
// `planspan serve --json` does.
import { getRequestListener } from '@hono/node-server'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { narrow } from '../../dist/otlp/index.js'
import { createApp } from '../../dist/server/index.js'
import { createSpanWriter } from '../../dist/store/ingest/index.js'
import { createStore } from '../../dist/store/index.js'

const [url, database] = process.argv.slice(2)
const store = createStore({ url, database })
const writer = createSpanWriter({ client: store.client, url, database, narrow, journal: true })
const stop = new AbortController()
const app = createApp({ store, writer, stop: stop.signal })
const server = createServer(getRequestListener(app.fetch, { overrideGlobalObjects: false }))
await once(server.listen(0, '127.0.0.1'), 'listening')
console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` }))
await once(process, 'SIGTERM')
stop.abort()
server.close()
server.closeAllConnections()
await writer.close()
await store.close()
