import { expect, test, vi } from 'vitest'

import { openDataDirectory } from '../../src/clickhouse/data-directory.js'
import { lockDirectory } from '../../src/clickhouse/directory-lock.js'
import { locateEngine } from '../../src/clickhouse/engine.js'
import { temporaryDirectory } from './temporary-directory.js'

const engine = locateEngine()

test('waits for a backup that holds the lock, and warns about the wait', async () => {
  const directory = openDataDirectory(temporaryDirectory())
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const backup = await lockDirectory(directory, engine, { isBrief: true })
  const waiting = lockDirectory(directory, engine)
  await vi.waitFor(() => expect(warn).toHaveBeenCalled(), { timeout: 10_000 })
  expect(warn.mock.calls[0]![0]).toMatch(/is briefly in use by this process since .*Waiting for at most 60 s/)
  backup.release()
  const lock = await waiting
  await expect(lockDirectory(directory, engine)).rejects.toMatchObject({ code: 'data_directory_in_use' })
  lock.release()
})
