import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'

/**
 * @typedef {object} ReceivedSpan
 * @property {string} name
 * @property {readonly { key: string, value: Record<string, unknown> }[]} attributes
 */

/** A real OTLP receiver that keeps the received spans as JSON and acknowledges all other requests. */
export async function startReceiver() {
  /** @type {ReceivedSpan[]} */
  const spans = []
  const server = createServer(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    if (request.url === '/v1/traces') {
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()
      for (const { scopeSpans } of JSON.parse(text).resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.')
  return {
    url: `http://127.0.0.1:${address.port}`,
    spans,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
