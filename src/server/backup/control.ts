import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { type DataDirectory, isFrozenName, isFull, openDataDirectory, prepareFreeze } from '../../clickhouse/index.js'
import { PlanspanError, type PlanspanErrorCode } from '../../error.js'
import { freezeTables, type Frozen } from '../../store/backup/index.js'

/** The endpoint of a server for processes that may read its data directory. */
interface Control {
  readonly port: number
  readonly secret: string
}

/** An error, as sent from one process to the other. */
interface Failure {
  readonly code: PlanspanErrorCode
  readonly message: string
}

/** The timeout; longer than pending inserts and freezing take together. */
const PATIENCE_MS = 120_000

/**
 * Freezes the tables of a running store on request of a backup. Only this process can pause its inserts.
 * Returns a function that stops this.
 */
export async function listenControl(dataDirectory: string, clickhouseUrl: string): Promise<() => Promise<void>> {
  const directory = openDataDirectory(dataDirectory)
  const secret = randomBytes(24).toString('base64url')
  const server = createServer((request, response) => {
    void answer(request, response, secret, (name) =>
      freezeTables(clickhouseUrl, name, () => prepareFreeze(directory, name)),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await writeFile(directory.control, JSON.stringify({ port, secret } satisfies Control), { mode: 0o600 }).catch(
    (error: unknown) => {
      // A full disk must not prevent a start. Backups of this server fail until the next one.
      if (!isFull(error)) throw error
    },
  )
  return async () => {
    rmSync(directory.control, { force: true })
    server.close()
    server.closeAllConnections()
  }
}

async function answer(
  { method, url = '', headers }: IncomingMessage,
  response: ServerResponse,
  secret: string,
  freeze: (name: string) => Promise<Frozen>,
): Promise<void> {
  const send = (status: number, body: Frozen | Failure) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const name = /^\/freeze\/(\w+)$/.exec(url)?.[1] ?? ''
  if (method !== 'POST' || !isFrozenName(name) || !isSame(headers.authorization ?? '', `Bearer ${secret}`)) {
    send(403, { code: 'unauthenticated', message: 'Only planspan itself is answered here.' })
    return
  }
  try {
    send(200, await freeze(name))
  } catch (error) {
    const code = error instanceof PlanspanError ? error.code : 'clickhouse_failed'
    send(500, { code, message: error instanceof Error ? error.message : String(error) })
  }
}

const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
const digest = (text: string) => createHash('sha256').update(text).digest()

/** Asks the server of a directory to freeze its tables; undefined without a server. Throws the server's error. */
export async function askToFreeze({ control, root }: DataDirectory, name: string): Promise<Frozen | undefined> {
  const found = readControl(control)
  if (!found) return undefined
  const response = await fetch(`http://127.0.0.1:${String(found.port)}/freeze/${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${found.secret}` },
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).catch((cause: Error) => {
    // A killed server leaves its file behind; another program may use its port by now.
    if (cause.name !== 'TimeoutError') return undefined
    throw new PlanspanError('store_busy', `The server of ${root} did not answer within two minutes.`, { cause })
  })
  if (response?.ok) return (await response.json()) as Frozen
  if (response?.status !== 500) return undefined
  const { code, message } = (await response.json()) as Failure
  throw new PlanspanError(code, message)
}

function readControl(path: string): Control | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Control
  } catch {
    return undefined
  }
}
