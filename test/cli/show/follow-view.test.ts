import { describe, expect, test } from 'vitest'

import { followView, windowOf } from '../../../src/cli/show/follow-view.js'
import { treeSpans } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { toSpanJson } from '../../../src/server/json/tree-span-json.js'
import { PlanLife } from '../../support/plan-life.js'

const lines = (count: number): string[] => Array.from({ length: count }, (_, index) => `line ${String(index)}`)

describe('the visible part of a tree', () => {
  test.each([
    [3, 5, 0, ['line 0', 'line 1', 'line 2']],
    [9, 5, 0, ['line 0', 'line 1', 'line 2', 'line 3', '… 5 more below']],
    [9, 5, 3, ['line 0', 'line 1', 'line 2', 'line 3', '… 5 more below']],
    [9, 5, 5, ['… 3 more above', 'line 3', 'line 4', 'line 5', '… 3 more below']],
    [9, 5, 8, ['… 5 more above', 'line 5', 'line 6', 'line 7', 'line 8']],
    [9, 0, 4, ['… 4 more above', 'line 4', '… 4 more below']],
  ])('of %i lines in %i rows around line %i', (count, rows, current, shown) => {
    expect(windowOf(lines(count), rows, current)).toEqual(shown)
  })
})

describe('a running plan on a screen', () => {
  const begin = Date.UTC(2026, 2, 4, 12)
  const life = new PlanLife({ traceId: 'a'.repeat(32), planId: 'plan-1', begin })
  life.start('plan', 'plan', undefined, { [ATTR.planTitle]: 'Rome' })
  for (let index = 0; index < 30; index++) {
    life.start('agent', 'agent', 'plan')
    life.start('llm', 'llm', 'agent')
    life.end('llm', { [ATTR.usageInputTokens]: 100, [ATTR.usageOutputTokens]: 1 })
    life.end('agent', { [ATTR.state]: 'completed' })
  }
  life.start('wait', 'wait', 'plan', { [ATTR.waitTitle]: 'Well?' })
  const spans = treeSpans(life.stored).map(toSpanJson)
  const shown = (rows: number) => followView({ id: 'plan-1', spans, rows, now: begin + 65_010 })

  test('shows first its state, its duration and its tokens so far', () => {
    expect(shown(10)[0]).toBe('plan-1  waiting  1 min 5 s  3000 → 30 tokens')
  })

  test('shows the current activity, and its duration so far', () => {
    expect(shown(10)).toContainEqual(expect.stringMatching(/└─ wait_for_user {2}waiting {2}1 min 3 s {2}Well\?/))
    expect(shown(10)).toContainEqual(expect.stringMatching(/^… \d+ more above$/))
  })

  test.each([1, 2, 5, 24, 200])('needs at most %i rows', (rows) => {
    expect(shown(rows).length).toBeLessThanOrEqual(rows)
  })
})
