import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { RunningServer } from '../server/index.js'

export interface TemporaryServer {
  readonly server: RunningServer
  /** Stops the server and removes its data. */
  remove(): Promise<void>
}

/** Starts a server with an embedded ClickHouse in a temporary directory. */
export async function startTemporaryServer(port = 0): Promise<TemporaryServer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'planspan-'))
  const removeData = () => rm(dataDirectory, { recursive: true, force: true })
  try {
    // Loaded only here, since `verify --endpoint` needs no server.
    const { startServer } = await import('../server/index.js')
    const server = await startServer({ port, dataDirectory })
    return {
      server,
      async remove() {
        await server.close()
        await removeData()
      },
    }
  } catch (error) {
    await removeData()
    throw error
  }
}

/** Removes a server that may still be starting, or failed to start. */
export const removeWhenStarted = (starting: Promise<TemporaryServer>): Promise<void> =>
  starting.then(
    ({ remove }) => remove(),
    () => {},
  )
