import type { Finding } from './doctor.js'
import { isLoopback } from '../../access/index.js'
import type { Server } from '../server/resolve-server.js'

/** Says where endpoint and token come from, never what the token is. */
export function checkConfiguration({ endpoint, namedBy, tokenOf, unsent }: Server): Finding[] {
  const token = tokenOf === undefined ? 'no token is sent' : `the token of ${tokenOf} is sent`
  return [
    { level: 'ok', text: `The endpoint is ${endpoint} (${namedBy}); ${token}` },
    ...(tokenOf !== undefined && isOpenToOthers(endpoint)
      ? [{ level: 'warn', text: unencrypted(endpoint) } as const]
      : []),
    ...unsent.map((of): Finding => {
      const how = of === 'PLANSPAN_TOKEN' ? 'PLANSPAN_ENDPOINT, or the configuration file,' : 'Its "endpoint"'
      return {
        level: 'warn',
        text: `The token of ${of} is not sent to ${endpoint}. ${how} says which server it is for.`,
      }
    }),
  ]
}

/** Whether others on the way see what is sent. */
const isOpenToOthers = (endpoint: string): boolean => {
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'http:' && !isLoopback(hostname.replaceAll(/[[\]]/g, ''))
}

const unencrypted = (endpoint: string): string =>
  `The token goes to ${endpoint} without encryption, where others on the way can read it. Put a proxy with TLS before it.`
