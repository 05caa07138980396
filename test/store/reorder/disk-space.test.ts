import { expect, it } from 'vitest'

import { checkRoom } from '../../../src/store/reorder/disk-space.js'

it('a reorder begins only if there is room for what is left to copy, and for merges of it', () => {
  expect(() => checkRoom({ bytes: 100e9, copied: 0, free: 120e9 })).not.toThrow()
  expect(() => checkRoom({ bytes: 100e9, copied: 60e9, free: 50e9 })).not.toThrow()
  expect(() => checkRoom({ bytes: 100e9, copied: 0, free: 110e9 })).toThrow(/needs 120\.0 GB.*110\.0 GB are free/)
})
