import { createRequire } from 'node:module'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'

import { type BegunRequest, REQUEST_ID, requestIdFrom, type RequestWatch, traceHeadersOf } from '../telemetry/index.js'
import type { AllowedOrigins } from './allowed-origins.js'

interface NodeServer {
  getRequestListener(fetch: Fetch, options: { overrideGlobalObjects: boolean }): RequestListener
}

// Loaded without its types: they refer to the DOM's WebSocket events, which Node's types declare differently or not at
// all.
const nodeServer = createRequire(import.meta.url)('@hono/node-server') as NodeServer

export type Fetch = (request: Request) => Response | Promise<Response>

/** Options for all requests. */
export interface RequestOptions {
  /** Other origins whose pages have access. @default none */
  readonly origins?: AllowedOrigins | undefined
  /** Receives each request. @default none */
  readonly requests?: RequestWatch | undefined
}

/** Converts a fetch handler to a node:http listener, without replacing the global Request and Response. */
export function requestListener(fetch: Fetch, { origins, requests }: RequestOptions = {}): RequestListener {
  const answer = nodeServer.getRequestListener(fetch, { overrideGlobalObjects: false })
  return (request, response) => {
    const id = requestIdFrom(request.headers[REQUEST_ID])
    response.setHeader(REQUEST_ID, id)
    const begun = requests && begin(requests, id, request, response)
    if (origins?.answer(request, response)) return
    if (begun) begun.run(() => answer(request, response))
    else answer(request, response)
  }
}

function begin(requests: RequestWatch, id: string, request: IncomingMessage, response: ServerResponse): BegunRequest {
  const { method = '', url: path = '', socket, headers } = request
  const from = socket.remoteAddress ?? ''
  const scheme = socket instanceof TLSSocket ? 'https' : 'http'
  const traceHeaders = traceHeadersOf(headers)
  const begun = requests.begin({ protocol: 'http', id, method, path, scheme, from, traceHeaders })
  response.once('close', () => {
    // The header of streams for proxies.
    const isStream = response.getHeader('x-accel-buffering') === 'no'
    begun.end({ status: response.statusCode, isBroken: !response.writableFinished, isStream })
  })
  return begun
}
