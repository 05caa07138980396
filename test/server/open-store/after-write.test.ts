import { expect, it, vi } from 'vitest'

import { afterWrite } from '../../../src/server/open-store/read-own-writes.js'
import type { SpanWriter } from '../../../src/store/ingest/index.js'

const nothing = () => Promise.resolve()
const other = { check: () => {}, settled: nothing, takeOver: nothing, close: nothing }
const request = { encoding: 'json', body: new Uint8Array(), spans: 1 } as const

it('writes the spans with their sender’s marks, and runs the follow-up after they are stored', async () => {
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

it('skips the follow-up when the write fails', async () => {
  const more = vi.fn<() => void>()
  const write = () => Promise.reject(new Error('full'))
  await expect(afterWrite({ ...other, write }, more).write(request)).rejects.toThrow('full')
  expect(more).not.toHaveBeenCalled()
})
