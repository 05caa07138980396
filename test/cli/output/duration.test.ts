import { expect, test } from 'vitest'

import { timeOption } from '../../../src/cli/option-values.js'
import { formatDuration } from '../../../src/cli/output/text-layout.js'

test.each([
  [0, '0.0 ms'],
  [0.44, '0.4 ms'],
  [1, '1 ms'],
  [999.4, '999 ms'],
  [1000, '1.0 s'],
  [59_900, '59.9 s'],
  [60_000, '1 min'],
  [200_000, '3 min 20 s'],
  [3_600_000, '1 h'],
  [7_500_000, '2 h 5 min'],
  [86_400_000 * 3 + 3_600_000, '3 d 1 h'],
])('%d ms are %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds)).toBe(text)
})

const NOON = Date.UTC(2026, 2, 4, 12)

test.each([
  ['90m', '2026-03-04T10:30:00.000Z'],
  ['24h', '2026-03-03T12:00:00.000Z'],
  ['7d', '2026-02-25T12:00:00.000Z'],
  ['30s', '2026-03-04T11:59:30.000Z'],
  ['2026-03-04', '2026-03-04'],
])('since %s is %s', (text, time) => {
  expect(timeOption('since', text, NOON)).toBe(time)
})
