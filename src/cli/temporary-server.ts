import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { RunningServer } from '../server/index.js'

export interface TemporaryServer {
  readonly server: RunningServer
  /** Ends it and takes its data away. */
  remove(): Promise<void>
}

/** A server with an embedded ClickHouse on a directory of its own, which goes with it. */
export async function startTemporaryServer(port = 0): Promise<TemporaryServer> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'planspan-'))
  const removeData = () => rm(dataDirectory, { recursive: true, force: true })
  try {
    // Loaded here, so that `verify --endpoint` does without it.
    const { startServer } = await import('../server/start-server.js')
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

/** Removes a server that may not have started yet, or have failed to. */
export const removeWhenStarted = (starting: Promise<TemporaryServer>): Promise<void> =>
  starting.then(
    ({ remove }) => remove(),
    () => {},
  )
