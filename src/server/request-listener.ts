import { createRequire } from 'node:module'
import type { RequestListener } from 'node:http'

interface NodeServer {
  getRequestListener(
    fetch: (request: Request) => Response | Promise<Response>,
    options: { overrideGlobalObjects: boolean },
  ): RequestListener
}

// Loaded without its types: they name the DOM's WebSocket events, which Node's types have otherwise or not at all.
const nodeServer = createRequire(import.meta.url)('@hono/node-server') as NodeServer

/** A fetch handler as a listener of node:http; the program's global Request and Response stay as they are. */
export const requestListener = (fetch: (request: Request) => Response | Promise<Response>): RequestListener =>
  nodeServer.getRequestListener(fetch, { overrideGlobalObjects: false })
