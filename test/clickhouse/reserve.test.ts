import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

import { Reserve } from '../../src/clickhouse/reserve.js'
import { fill, skipWithoutDisk, smallDisk } from '../support/small-disk.js'
import { temporaryDirectory } from './temporary-directory.js'

it('is a file that is removed when its space is needed, and written again', async () => {
  const path = join(temporaryDirectory(), 'reserve')
  const reserve = new Reserve(path)
  const size = reserve.missing
  expect(reserve.release()).toBe(false)
  await reserve.restore()
  expect([reserve.missing, statSync(path).size]).toEqual([0, size])
  expect([reserve.release(), reserve.missing]).toEqual([true, size])
  writeFileSync(path, 'a part of it')
  await reserve.restore()
  expect(reserve.missing).toBe(0)
})

it('takes no space of a disk that is almost full', async ({ skip }) => {
  const disk = smallDisk(64) ?? skipWithoutDisk(skip)
  const reserve = new Reserve(join(disk, 'reserve'))
  const size = reserve.missing
  fill(disk, 8 << 20)
  await reserve.restore()
  expect(reserve.missing).toBe(size)
})
