import type { Server, Socket } from 'node:net'

export interface ConnectionLimits {
  /** @default 8_192 */
  readonly total?: number
  /** The most that one address may have. @default half of the total */
  readonly perClient?: number
}

/** Ends connections beyond a number, so that no client can take all there are. */
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
