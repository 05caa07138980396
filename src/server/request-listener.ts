import { createRequire } from 'node:module'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import type { AllowedOrigins } from './cors.js'
import { REQUEST_ID, requestIdFrom } from './log/request-id.js'
import type { RequestLog } from './log/request-log.js'

interface NodeServer {
  getRequestListener(fetch: Fetch, options: { overrideGlobalObjects: boolean }): RequestListener
}

// Loaded without its types: they refer to the DOM's WebSocket events, which Node's types declare differently or not at
// all.
const nodeServer = createRequire(import.meta.url)('@hono/node-server') as NodeServer

export type Fetch = (request: Request) => Response | Promise<Response>

/** What is done to all requests, whatever they ask for. */
export interface RequestOptions {
  /** Other origins whose pages may ask. @default none */
  readonly origins?: AllowedOrigins | undefined
  /** Told of each request. @default nothing is told */
  readonly requests?: RequestLog | undefined
}

/** Turns a fetch handler into a node:http listener; the program's global Request and Response are not replaced. */
export function requestListener(fetch: Fetch, { origins, requests }: RequestOptions = {}): RequestListener {
  const answer = nodeServer.getRequestListener(fetch, { overrideGlobalObjects: false })
  return (request, response) => {
    const id = requestIdFrom(request.headers[REQUEST_ID])
    response.setHeader(REQUEST_ID, id)
    if (requests) tellEnd(requests, id, request, response)
    if (!origins?.answer(request, response)) answer(request, response)
  }
}

function tellEnd(requests: RequestLog, id: string, request: IncomingMessage, response: ServerResponse): void {
  const { method = '', url: path = '', socket } = request
  const end = requests.begin({ id, method, path, from: socket.remoteAddress ?? '' })
  response.once('close', () => {
    // What streams say to proxies.
    const isStream = response.getHeader('x-accel-buffering') === 'no'
    end({ status: response.statusCode, isBroken: !response.writableFinished, isStream })
  })
}
