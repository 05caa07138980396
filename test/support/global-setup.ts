import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

import { startClickHouse } from '../../src/clickhouse/index.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** The embedded ClickHouse of this run, as its writer. */
    clickhouseUrl: string
    /** The same ClickHouse, as the read-only user. */
    clickhouseReaderUrl: string
    clickhouseNativePort: number
  }
}

/** Starts one embedded ClickHouse for all integration tests of a run; each test uses its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'planspan-test-'))
  const clickhouse = await startClickHouse({ dataDirectory, databases: ['test_*'] })
  project.provide('clickhouseUrl', clickhouse.url)
  project.provide('clickhouseReaderUrl', clickhouse.readerUrl)
  project.provide('clickhouseNativePort', clickhouse.nativePort)
  return async () => {
    await clickhouse.stop()
    await rm(dataDirectory, { recursive: true, force: true })
  }
}
