import { expect, it, vi } from 'vitest'

import { afterWrite } from '../../../src/server/open-store/read-own-writes.js'
import type { SpanWriter } from '../../../src/store/ingest/index.js'

const nothing = () => Promise.resolve()
const other = { check: () => {}, settled: nothing, takeOver: nothing, close: nothing }
const request = { encoding: 'json', body: new Uint8Array(), spans: 1 } as const

it('writes what it is given, with what its sender is known by, and does more once that is stored', async () => {
  const more = vi.fn<() => void>()
  const write = vi.fn<SpanWriter['write']>(async () => {
    expect(more).not.toHaveBeenCalled()
    return Promise.resolve({ rejectedSpans: 0, errorMessage: '' })
  })
  const writer = afterWrite({ ...other, write }, more)
  await writer.write(request, ['a', 'b'])
  expect(write).toHaveBeenCalledWith(request, ['a', 'b'])
  expect(more).toHaveBeenCalledOnce()
})

it('does nothing more where that fails', async () => {
  const more = vi.fn<() => void>()
  const write = () => Promise.reject(new Error('full'))
  await expect(afterWrite({ ...other, write }, more).write(request)).rejects.toThrow('full')
  expect(more).not.toHaveBeenCalled()
})
