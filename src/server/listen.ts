import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { PlanspanError } from '../error.js'
import { requestListener } from './request-listener.js'
import { within } from './within.js'

export interface Listener {
  readonly port: number
  /** Takes no more requests and resolves when those under way are answered, or after `graceMs` milliseconds. */
  close(graceMs: number): Promise<void>
}

// Longer than clients keep an idle connection, so that it is they who close it and no request meets a closed one.
const KEEP_ALIVE_MS = 75_000

/** Serves HTTP on an address. Throws `port_in_use`, and `usage` for an address that this machine does not have. */
export async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { port, host }: { port: number; host: string },
): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, requestListener(fetch))
  server.listen({ port, host })
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw listenError(cause, port, host)
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: (graceMs) => closeServer(server, graceMs),
  }
}

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
  await within(graceMs, closed, () => server.closeAllConnections())
}

function listenError(cause: unknown, port: number, host: string): PlanspanError {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'EADDRINUSE') {
    return new PlanspanError(
      'port_in_use',
      `Port ${String(port)} on ${host} is taken by another process. Stop it, name another port with --port, ` +
        'or take any free one with --port 0.',
      { cause },
    )
  }
  return new PlanspanError(
    'usage',
    `Cannot listen on ${host}, port ${String(port)} (${String(code ?? cause)}). Name an address of this machine with ` +
      '--host and a port from 1024 to 65535 with --port.',
    { cause },
  )
}
