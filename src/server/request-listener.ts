import { createRequire } from 'node:module'
import type { RequestListener } from 'node:http'

interface NodeServer {
  getRequestListener(
    fetch: (request: Request) => Response | Promise<Response>,
    options: { overrideGlobalObjects: boolean },
  ): RequestListener
}

// Loaded without its types: they refer to the DOM's WebSocket events, which Node's types declare differently or not at
// all.
const nodeServer = createRequire(import.meta.url)('@hono/node-server') as NodeServer

/** Turns a fetch handler into a node:http listener; the program's global Request and Response are not replaced. */
export const requestListener = (fetch: (request: Request) => Response | Promise<Response>): RequestListener =>
  nodeServer.getRequestListener(fetch, { overrideGlobalObjects: false })
