// Serves planspan below a path of your own server, for clients with your token.
// CLICKHOUSE_URL=http://planspan:secret@127.0.0.1:8123 TOKEN=… node examples/own-server.mjs
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { bearerAuth } from 'hono/bearer-auth'
import { createApp, openStore } from 'planspan/server'

const { CLICKHOUSE_URL, CLICKHOUSE_DATABASE, TOKEN, PORT = '8080' } = process.env

const opened = await openStore({ clickhouseUrl: CLICKHOUSE_URL, database: CLICKHOUSE_DATABASE })
const stop = new AbortController()

const app = new Hono()
app.get('/', (c) => c.text('An agent lives here.'))
app.use('/planspan/*', bearerAuth({ token: TOKEN }))
app.route('/planspan', createApp({ ...opened, stop: stop.signal }))

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(PORT) }, ({ port }) => {
  console.log(`OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:${port}/planspan`)
})

process.once('SIGTERM', () => {
  stop.abort() // Ends the event streams, which would otherwise stay open.
  server.close(() => opened.close()) // Finishes the last requests before it closes the store.
})
