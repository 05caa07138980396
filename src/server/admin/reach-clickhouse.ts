import { resolve } from 'node:path'

import { findRunning, startClickHouse } from '../../clickhouse/index.js'
import { PlanspanError } from '../../error.js'

/** Where tenants are. */
export interface TenantsAt {
  /** The embedded ClickHouse's directory, where no URL is given. */
  readonly dataDirectory: string
  /** `http[s]://user:password@host:port` of a ClickHouse server. @default the embedded one */
  readonly clickhouse?: string
}

/** A ClickHouse that can be asked. */
export interface Reached {
  readonly url: string
  /** Of an embedded one. */
  readonly embedded?: {
    readonly httpPort: number
    readonly nativePort: number
    readonly credentialsFile: string
    /** Whether a server runs it, and goes on doing so. */
    readonly isServed: boolean
  }
}

/** Asks the ClickHouse at the URL, or the embedded one: that of a running server, or one that is started for it. */
export async function withClickHouse<Result>(
  { dataDirectory, clickhouse }: TenantsAt,
  task: (reached: Reached) => Promise<Result>,
): Promise<Result> {
  if (clickhouse !== undefined) return task({ url: clickhouse })
  const directory = resolve(dataDirectory)
  const started = await startClickHouse({ dataDirectory: directory, isBrief: true }).catch((error: unknown) => {
    if (error instanceof PlanspanError && error.code === 'data_directory_in_use') return undefined
    throw error
  })
  if (started) {
    const { url, httpPort, nativePort, credentialsFile } = started
    try {
      return await task({ url, embedded: { httpPort, nativePort, credentialsFile, isServed: false } })
    } finally {
      await started.stop()
    }
  }
  const running = findRunning(directory)
  if (!running) {
    throw new PlanspanError(
      'store_unreachable',
      `The ClickHouse of ${directory} is starting. Try again when it is there.`,
    )
  }
  const { url, ...embedded } = running
  return task({ url, embedded: { ...embedded, isServed: true } })
}
