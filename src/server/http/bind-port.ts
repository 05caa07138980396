import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'

import { PlanspanError } from '../../error.js'

export interface Address {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** The option that names the port, for messages. */
  readonly option: string
}

/**
 * Makes a server listen and returns its port. Throws `port_in_use`, and `usage` for an address that is not of
 * this machine.
 */
export async function bindPort(server: Server, { host, port, option }: Address): Promise<number> {
  server.listen({ port, host })
  try {
    await once(server, 'listening')
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EADDRINUSE') {
      throw new PlanspanError(
        'port_in_use',
        `Port ${String(port)} on ${host} is in use by another process. Stop it, select another port with ${option}, ` +
          `or use any free port with ${option} 0.`,
        { cause },
      )
    }
    throw new PlanspanError(
      'usage',
      `Cannot listen on ${host}, port ${String(port)} (${String(code ?? cause)}). Name an address of this machine with ` +
        `--host and a port from 1024 to 65535 with ${option}.`,
      { cause },
    )
  }
  return (server.address() as AddressInfo).port
}

interface ConnectionLimits {
  /** The maximum number of connections. @default 8_192 */
  readonly total?: number
  /** The maximum number of connections per address. @default half of the total */
  readonly perClient?: number
}

/** Closes connections beyond a limit, so that no client can use all of them. */
export function limitConnections(
  server: Server,
  { total = 8_192, perClient = total / 2 }: ConnectionLimits = {},
): void {
  const counts = new Map<string, number>()
  server.maxConnections = total
  server.prependListener('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket
    const count = (counts.get(remoteAddress) ?? 0) + 1
    counts.set(remoteAddress, count)
    socket.once('close', () => {
      const left = (counts.get(remoteAddress) ?? 0) - 1
      if (left > 0) counts.set(remoteAddress, left)
      else counts.delete(remoteAddress)
    })
    if (count > perClient) socket.destroy()
  })
}
