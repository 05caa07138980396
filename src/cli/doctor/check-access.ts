import { isLoopback } from '../../access/index.js'
import { TOKEN_HINT } from '../../base/advice.js'
import type { Readiness } from '../../wire/index.js'
import { plural } from '../output/text-layout.js'
import type { Server } from '../server/resolve-server.js'
import { fail, type Finding, ok, warn } from './finding.js'

/** Reports the sources of endpoint and token, never the token itself. */
export function checkConfiguration({ endpoint, namedBy, tokenOf, unsent }: Server): Finding[] {
  const token = tokenOf === undefined ? 'no token is sent' : `the token of ${tokenOf} is sent`
  return [
    ok(`The endpoint is ${endpoint} (${namedBy}); ${token}`),
    ...(tokenOf !== undefined && isUnencrypted(endpoint)
      ? [
          warn(
            `The token goes to ${endpoint} without encryption, so others on the network can read it. Put a TLS proxy in front ` +
              'of the server.',
          ),
        ]
      : []),
    ...unsent.map((of): Finding => {
      const source = of === 'PLANSPAN_TOKEN' ? 'PLANSPAN_ENDPOINT, or the configuration file,' : 'Its "endpoint"'
      return warn(`The token of ${of} is not sent to ${endpoint}. ${source} names the server that it belongs to.`)
    }),
  ]
}

const isUnencrypted = (endpoint: string): boolean => {
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'http:' && !isLoopback(hostname.replaceAll(/[[\]]/g, ''))
}

type Access = NonNullable<Extract<Readiness, { status: 'ready' }>['access']>

/** Checks the tokens of a server that requires them. */
export function checkAccess({ tokens, endSoon, isFileExposed, refused }: Access): Finding[] {
  const refusals = Object.entries(refused).filter(([, count]) => count > 0)
  const counts = refusals.map(([reason, count]) => `${String(count)} ${reason}`).join(', ')
  return [
    ok(`It requires a token and has ${String(tokens)}; requests rejected: ${counts === '' ? 'none' : counts}`),
    ...(endSoon === 0
      ? []
      : [
          warn(
            `${plural(endSoon, 'token')} expired or will expire within 14 days. \`planspan token list\` shows them; whatever a ` +
              'sender sends with an expired token is lost.',
          ),
        ]),
    ...(isFileExposed
      ? [
          warn(
            'Other users of the server’s machine can read or change its token file, and a user who can change it can add a ' +
              'token. Run `chmod 600` on the file.',
          ),
        ]
      : []),
  ]
}

/** The finding for a server that reports nothing without a token. */
export const tokenNeeded = (endpoint: string): Finding =>
  fail(`The server at ${endpoint} requires a token with the scope read. ${TOKEN_HINT}`)
