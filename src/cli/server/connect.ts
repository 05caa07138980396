import { type Client, createClient } from '../../client/index.js'
import { asPlanspanError } from './as-planspan-error.js'
import { resolveServer, type Server } from './resolve-server.js'

/** A server and a client of it. */
export interface Connection {
  readonly server: Server
  readonly client: Client
}

/** A connection to the server that options, environment and configuration name. Throws `usage`. */
export const connect = async (options: Parameters<typeof resolveServer>[0]): Promise<Connection> =>
  connectTo(await resolveServer(options))

/** A connection to a server. Throws `usage` for a token or headers that no request can have. */
export function connectTo(server: Server): Connection {
  const { endpoint, token, headers } = server
  try {
    return { server, client: createClient({ endpoint, token, headers }) }
  } catch (error) {
    throw asPlanspanError(error)
  }
}
