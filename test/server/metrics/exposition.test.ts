import fc from 'fast-check'
import { expect, test } from 'vitest'

import { exposition, type Family } from '../../../src/server/metrics/exposition.js'

const FAMILIES: readonly Family[] = [
  { name: 'a', type: 'counter', help: 'Of "this"\nand \\that.', samples: [[{ of: 'x', none: '' }, 3]] },
  { name: 'b_seconds', type: 'gauge', unit: 'seconds', help: 'B.', samples: [[{}, 0.25]] },
  {
    name: 'c',
    type: 'histogram',
    help: 'C.',
    samples: [[{ of: 'x' }, { bounds: [0.01, 1, 1_048_576], counts: [1, 2, 2, 3], sum: 4.5 }]],
  },
  { name: 'd', type: 'gauge', help: 'Of which nothing is known.', samples: [] },
]

const HISTOGRAM = [
  'c_bucket{of="x",le="0.01"} 1',
  'c_bucket{of="x",le="1.0"} 2',
  'c_bucket{of="x",le="1.048576e+06"} 2',
  'c_bucket{of="x",le="+Inf"} 3',
  'c_sum{of="x"} 4.5',
  'c_count{of="x"} 3',
]

test('writes metrics as OpenMetrics', () => {
  expect(exposition(FAMILIES, 'openmetrics').split('\n')).toEqual([
    '# TYPE a counter',
    '# HELP a Of \\"this\\"\\nand \\\\that.',
    'a_total{of="x"} 3',
    '# TYPE b_seconds gauge',
    '# UNIT b_seconds seconds',
    '# HELP b_seconds B.',
    'b_seconds 0.25',
    '# TYPE c histogram',
    '# HELP c C.',
    ...HISTOGRAM,
    '# EOF',
    '',
  ])
})

test('writes metrics in the older Prometheus text format', () => {
  expect(exposition(FAMILIES, 'text').split('\n')).toEqual([
    '# TYPE a_total counter',
    '# HELP a_total Of "this"\\nand \\\\that.',
    'a_total{of="x"} 3',
    '# TYPE b_seconds gauge',
    '# HELP b_seconds B.',
    'b_seconds 0.25',
    '# TYPE c histogram',
    '# HELP c C.',
    ...HISTOGRAM,
    '',
  ])
})

/** The label value as it was before escaping. */
const valueOf = (line: string): string =>
  /="(.*)"\} 1$/s.exec(line)![1]!.replaceAll(/\\(.)/gs, (_, one: string) => (one === 'n' ? '\n' : one))

test('any label value fits on one line and can be read back', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'n', '\ud800', '}'), minLength: 1 }),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const reported = exposition(
        [{ name: 'a', type: 'gauge', help: 'A.', samples: [[{ of: text }, 1]] }],
        'openmetrics',
      )
      const lines = reported.split('\n')
      expect(lines).toHaveLength(5)
      expect(reported.isWellFormed()).toBe(true)
      expect(valueOf(lines[2]!)).toBe(text.toWellFormed())
    }),
  )
})
