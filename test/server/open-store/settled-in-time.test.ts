import { expect, it } from 'vitest'

import { settledInTime } from '../../../src/server/open-store/read-own-writes.js'

it('a read waits until acknowledged spans are in the tables, up to a limit', async () => {
  await settledInTime({ settled: () => Promise.resolve() })
  const never = new Promise<void>(() => {})
  await expect(settledInTime({ settled: () => never }, 1)).rejects.toMatchObject({ code: 'store_unreachable' })
})
