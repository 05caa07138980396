import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo, type Server } from 'node:net'

import { PlanspanError } from '../error.js'
import { replaceFile, type DataDirectory } from './data-directory.js'

/** ClickHouse's two ports on 127.0.0.1. */
export interface Ports {
  readonly http: number
  readonly native: number
}

/**
 * Checks that both ports are free on 127.0.0.1. For a port of 0, picks the preferred port if it is free, else any free
 * port.
 * @throws PlanspanError `port_in_use`
 */
export async function reservePorts(wanted: Ports, preferred: Ports = { http: 0, native: 0 }): Promise<Ports> {
  const http = await listenPreferring(wanted.http, preferred.http)
  try {
    const native = await listenPreferring(wanted.native, preferred.native)
    const ports = { http: portOf(http), native: portOf(native) }
    await close(native)
    return ports
  } finally {
    await close(http)
  }
}

/** Creates the error for a port that is already in use. */
export function portInUse(ports: string, cause?: unknown): PlanspanError {
  return new PlanspanError(
    'port_in_use',
    `ClickHouse cannot listen on 127.0.0.1, port ${ports}: something else does. Stop it, or name another port (0 takes a free one).`,
    { cause },
  )
}

async function listenPreferring(wanted: number, preferred: number): Promise<Server> {
  if (wanted !== 0 || preferred === 0) return listen(wanted)
  try {
    return await listen(preferred)
  } catch {
    return listen(0)
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause: NodeJS.ErrnoException) => {
      reject(
        cause.code === 'EADDRINUSE'
          ? portInUse(String(port), cause)
          : new PlanspanError(
              'usage',
              `ClickHouse cannot listen on 127.0.0.1, port ${port}: ${cause.message}. Name another port.`,
              { cause },
            ),
      )
    })
    server.listen({ host: '127.0.0.1', port }, () => resolve(server))
  })
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}

const NONE: Ports = { http: 0, native: 0 }

/** The ports of the last start, reused so that a dashboard's data source stays valid; 0 for unknown. */
export function rememberedPorts({ ports }: DataDirectory): Ports {
  try {
    const { http, native } = JSON.parse(readFileSync(ports, 'utf8')) as Partial<Ports>
    return isPort(http) && isPort(native) && http !== native ? { http, native } : NONE
  } catch {
    return NONE
  }
}

export function rememberPorts(directory: DataDirectory, { http, native }: Ports): void {
  replaceFile(directory.root, directory.ports, `${JSON.stringify({ http, native })}\n`)
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536
