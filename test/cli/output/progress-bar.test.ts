import { expect, test } from 'vitest'

import { progressLine } from '../../../src/cli/output/progress-bar.js'

const label = '/home/me/records/of/last/year/records.jsonl'

test.each([
  [100, `${label}  ████████████░░░░░░░░░░░░  50%  5 records`],
  [60, '…ar/records.jsonl  ████████████░░░░░░░░░░░░  50%  5 records'],
  [40, '…ecords/of/last/year/records.jsonl  50%'],
])('the progress fits on one line of %i columns', (width, expected) => {
  const line = progressLine({ label, share: 0.5, remark: '5 records', width })
  expect(line.length).toBeLessThan(width)
  expect(line).toBe(expected)
})

test.each([10, 5, 1])('and of %i columns', (width) => {
  expect(progressLine({ label, share: 0.5, remark: '', width }).length).toBeLessThanOrEqual(width)
})
