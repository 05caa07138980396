import { expect, test } from 'vitest'

import { checkDisks } from '../../../src/cli/doctor/check-disks.js'

const GIB = 2 ** 30

test.each([
  {
    name: 'a disk that fills up in a month',
    free: 50 * GIB,
    week: 10 * GIB,
    level: 'ok',
    text: 'it is full in 35 days',
  },
  { name: 'a disk that fills up in ten days', free: 50 * GIB, week: 35 * GIB, level: 'warn', text: 'full in 10 days' },
  { name: 'a nearly full disk', free: 5 * GIB, week: 0, level: 'warn', text: 'With a full disk, spans are rejected' },
])('reports $name', ({ free, week, level, text }) => {
  const [finding] = checkDisks([{ disk: 'default', free, total: 100 * GIB, used: 20 * GIB, week }])
  expect(finding).toMatchObject({ level, text: expect.stringContaining(text) as string })
})

test('gives no forecast of more than ten years', () => {
  const [finding] = checkDisks([{ disk: 'default', free: 50 * GIB, total: 100 * GIB, used: 30_000, week: 30_000 }])
  expect(JSON.stringify(finding)).not.toContain('full in')
})
