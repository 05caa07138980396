import type { Server, Socket } from 'node:net'

export interface ConnectionLimits {
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
