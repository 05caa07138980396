import { expect, test } from 'vitest'

import { facetLines, facetTable } from '../../../src/cli/list/plan-table.js'
import type { FacetsJson } from '../../../src/client/index.js'

const empty = { agent: [], tool: [], model: [], dialect: [], convention: [], workflow: [] }
const none = { ...empty, unsafe: [], risk: [], cost: [], service: [], conversation: [] }
const found: FacetsJson = {
  plans: 120,
  facets: {
    ...none,
    state: [
      { value: 'completed', plans: 117 },
      { value: 'failed', plans: 3 },
    ],
    error: [{ value: 'Time\u001B[31mout', plans: 3 }],
    source: [{ value: '', plans: 8 }],
  },
}

test('for people has a heading for each facet with values, and no control characters', () => {
  expect(facetTable(found)).toEqual([
    '120 plans',
    '',
    'STATE',
    '  117  completed',
    '    3  failed',
    '',
    'ERROR',
    '    3  Time [31mout',
    '',
    'SOURCE',
    '    8  (none)',
  ])
})

test('for programs has a line for each value', () => {
  expect(facetLines(found).map((line) => line.split(/ {2,}/))).toEqual([
    ['state', '117', 'completed'],
    ['state', '3', 'failed'],
    ['error', '3', 'Time [31mout'],
    ['source', '8', '(none)'],
  ])
})
