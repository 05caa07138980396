import { resolve } from 'node:path'

import { findRunning, startClickHouse } from '../../clickhouse/index.js'
import { PlanspanError } from '../../error.js'

/** The ClickHouse that contains the tenants. */
export interface TenantsAt {
  /** The embedded ClickHouse's directory; used without a URL. */
  readonly dataDirectory: string
  /** `http[s]://user:password@host:port` of a ClickHouse server. @default the embedded one */
  readonly clickhouse?: string
}

/** A connection to a ClickHouse. */
export interface Reached {
  readonly url: string
  /** Only for the embedded ClickHouse. */
  readonly embedded?: {
    readonly httpPort: number
    readonly nativePort: number
    readonly credentialsFile: string
    /** Whether a running server owns the embedded ClickHouse. */
    readonly isServed: boolean
  }
}

/** Connects to the ClickHouse at the URL, or to the embedded ClickHouse, which is started if no server runs it. */
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
      `The ClickHouse of ${directory} is starting. Try again when it is running.`,
    )
  }
  const { url, ...embedded } = running
  return task({ url, embedded: { ...embedded, isServed: true } })
}
