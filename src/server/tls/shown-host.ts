import { isLoopback } from '../../access/index.js'
import type { Certificate } from './certificate.js'

const ANY = new Set(['0.0.0.0', '::'])

/** Returns the host for the URLs of a server on an address, preferably one that its certificate is valid for. */
export function shownHost(host: string, certificate: Pick<Certificate, 'isFor' | 'name'> | undefined): string {
  const address = ANY.has(host) ? '127.0.0.1' : host
  const others = isLoopback(address) ? ['localhost', ...(ANY.has(host) ? [certificate?.name] : [])] : []
  const shown = [address, ...others].find((one) => one !== undefined && certificate?.isFor(one)) ?? address
  return shown.includes(':') ? `[${shown}]` : shown
}
