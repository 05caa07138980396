import { hash } from 'node:crypto'

/**
 * What a request's sender is known by: its connection, and what its spans say of their resource, at its address. The
 * requests of a client may come over several connections, and those of several senders over one. `peer` is the other
 * end of the connection, `address:port`.
 */
export function senderMarks(peer: string, resource: Uint8Array | undefined): string[] {
  const address = peer.slice(0, peer.lastIndexOf(':'))
  return [peer, `${address} ${hash('sha1', resource ?? '', 'base64')}`]
}
