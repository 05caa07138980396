import { expect, it } from 'vitest'

import { settledInTime } from '../../../src/server/open-store/read-own-writes.js'

it('a read waits until what was acknowledged is in the tables, but not for ever', async () => {
  await settledInTime({ settled: () => Promise.resolve() })
  const never = new Promise<void>(() => {})
  await expect(settledInTime({ settled: () => never }, 1)).rejects.toMatchObject({ code: 'store_unreachable' })
})
