import type { Finding } from './doctor.js'
import type { Server } from './server/resolve-server.js'

/** Says where endpoint and token come from, never what the token is. */
export function checkConfiguration({ endpoint, namedBy, tokenOf, unsent }: Server): Finding[] {
  const token = tokenOf === undefined ? 'no token is sent' : `the token of ${tokenOf} is sent`
  return [
    { level: 'ok', text: `The endpoint is ${endpoint} (${namedBy}); ${token}` },
    ...unsent.map((of): Finding => {
      const how = of === 'PLANSPAN_TOKEN' ? 'PLANSPAN_ENDPOINT, or the configuration file,' : 'Its "endpoint"'
      return {
        level: 'warn',
        text: `The token of ${of} is not sent to ${endpoint}. ${how} says which server it is for.`,
      }
    }),
  ]
}
