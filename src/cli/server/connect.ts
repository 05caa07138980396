import { type Client, createClient } from '../../client/index.js'
import { asPlanspanError } from './as-planspan-error.js'
import { resolveServer, type Server } from './resolve-server.js'

/** A server and its client. */
export interface Connection {
  readonly server: Server
  readonly client: Client
}

/** Connects to the server of the options, environment and configuration. Throws `usage`. */
export const connect = async (options: Parameters<typeof resolveServer>[0]): Promise<Connection> =>
  connectTo(await resolveServer(options))

/** Connects to a server. Throws `usage` for an invalid token or header. */
export function connectTo(server: Server): Connection {
  const { endpoint, token, headers } = server
  try {
    return { server, client: createClient({ endpoint, token, headers }) }
  } catch (error) {
    throw asPlanspanError(error)
  }
}
