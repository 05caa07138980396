import { readFileSync, writeFileSync } from 'node:fs'

import { type DataDirectory, writing } from './data-directory.js'
import type { Ports } from './ports.js'

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
  writing(directory.root, () =>
    writeFileSync(directory.ports, `${JSON.stringify({ http, native })}\n`, { mode: 0o600 }),
  )
}

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536
