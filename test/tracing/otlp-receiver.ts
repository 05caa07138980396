import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'

interface ReceivedRequest {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Breaks the connection instead. */
  readonly hangUp?: boolean
  /** Never responds. */
  readonly isSilent?: boolean
}

/** A real HTTP server that returns the given responses and records its requests. */
export async function startReceiver(answer: (count: number) => Answer = () => ({})) {
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const bytes = Buffer.concat(chunks)
      const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
      requests.push({ headers: request.headers, body: body.toString() })
      const { status = 200, headers = {}, body: said = {}, hangUp = false, isSilent } = answer(requests.length)
      if (isSilent) return
      if (hangUp) request.socket.destroy()
      else
        response
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(typeof said === 'string' ? said : JSON.stringify(said))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/v1/traces`,
    requests,
    spanNames: () =>
      requests.flatMap(({ body }) => [...body.matchAll(/"name":"([^"]*)","kind"/g)].map(([, name]) => name)),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
