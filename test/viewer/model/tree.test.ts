import { describe, expect, test } from 'vitest'

import { openAtFirst, visibleNodes, wayTo } from '../../../viewer/src/model/open-rows.js'
import { isSameRow, type Row, rowOf, rowsOf } from '../../../viewer/src/model/row.js'
import { inOrder, modelsOf, waitedOf } from '../../../viewer/src/model/sums.js'
import { isCause } from '../../../viewer/src/model/tree.js'
import { ids, row, treeWith } from '../support/rows.js'

describe('a structure', () => {
  test('becomes rows whose names omit what their glyphs show', () => {
    const outcome = [5, 'completed', false, false, null, null, null, 0, null, null] as const
    const rows = rowsOf({
      traceId: 'a',
      startTime: '2026-03-04T12:00:00Z',
      planned: true,
      spans: [
        ['1', null, 'plan', 'invoke_workflow trip', 'trip: Rome', 0, ...outcome],
        ['2', 0, 'think_act', 'agent_step scout', 'Call browse', 1.5, ...outcome],
        ['3', 1, 'tool', 'execute_tool browse', 'museums', 2, ...outcome],
        ['4', 1, 'agent', 'invoke_agent', '', 2, ...outcome],
        ['5', 1, null, 'GET /', '', 2, ...outcome],
      ],
    })
    expect([...rows.values()].map(({ parent, name, label }) => [parent, name, label])).toEqual([
      [null, 'trip: Rome', ''],
      ['1', 'Call browse', ''],
      ['2', 'browse', 'museums'],
      ['2', 'Agent', ''],
      ['2', 'GET /', ''],
    ])
    expect(rows.get('2')?.start).toBe(Date.UTC(2026, 2, 4, 12) + 1.5)
  })

  test('has its rows at exactly the times of live events', () => {
    const rest = [
      'tool',
      'execute_tool browse',
      '',
      0,
      5,
      'completed',
      false,
      false,
      null,
      null,
      null,
      0,
      null,
      null,
    ] as const
    const [role, name, label, , ...outcome] = rest
    const structure = { traceId: 'a', startTime: '2026-03-04T12:00:00.123456789Z', planned: false }
    const row = rowsOf({ ...structure, spans: [['1', null, ...rest]] }).get('1')!
    const start = Number(1_772_625_600_123_456_789n) / 1e6
    expect(isSameRow(row, rowOf(['1', null, role, name, label, start, ...outcome]))).toBe(true)
    expect(isSameRow(row, rowOf(['1', null, role, name, label, start + 0.01, ...outcome]))).toBe(false)
  })
})

describe('a tree', () => {
  test('has siblings in the order of their start, and spans without a parent as roots', () => {
    const { roots } = treeWith(row('b', 'a', { start: 2 }), row('c', 'a', { start: 1 }), row('a', null), row('d', 'x'))
    expect(ids(roots)).toEqual(['a', 'd'])
    expect(ids(roots[0]!.children)).toEqual(['c', 'b'])
    expect(roots[0]!.children.map(({ depth }) => depth)).toEqual([1, 1])
  })

  test('supports spans that are each other’s parents', () => {
    const tree = treeWith(row('a', 'b'), row('b', 'a'), row('c', 'c'))
    expect(ids(inOrder(tree)).toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('sums up the descendants', () => {
    const { roots } = treeWith(
      row('a', null, { state: 'failed', failed: true, duration: 1 }),
      row('b', 'a', { tokens: 7, failed: true, failure: 'gone', duration: 30, costUsd: 0.5 }),
      row('c', 'a', { tokens: 5, risk: 0.4, judgement: 'taken' }),
      row('d', 'c', { risk: 0.9, judgement: 'stopped', role: 'guardrail' }),
      // The stopped call is not a second stop.
      row('e', 'c', { judgement: 'stopped' }),
    )
    expect(roots[0]).toMatchObject({
      tokens: 12,
      costUsd: 0.5,
      spans: 5,
      failures: 2,
      causes: 1,
      risk: 0.9,
      taken: 1,
      stopped: 1,
      end: 30,
    })
  })

  test('has the original failures of the mapping, and the innermost spans that never ended', () => {
    const cutOff = { pending: true, state: 'interrupted' } as const
    const tree = treeWith(
      row('a', null, cutOff),
      row('b', 'a', { failed: true }),
      row('c', 'b', { failed: true, failure: 'The page is gone.' }),
      row('d', 'a', cutOff),
      row('e', 'd', { pending: true, state: 'running' }),
    )
    expect(ids(inOrder(tree).filter(isCause))).toEqual(['c', 'd'])
    expect(tree.roots[0]).toMatchObject({ causes: 1, cutOff: 1 })
  })

  test('supports 100,000 spans in one row, or nested', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => row(String(index), index === 0 ? null : '0'))
    expect(treeWith(...many.slice(0, 100_000)).roots[0]!.spans).toBe(100_000)
  })
})

describe('open nodes', () => {
  test('are at first the path to the first failure', () => {
    const tree = treeWith(
      row('a', null),
      row('b', 'a'),
      row('c', 'b'),
      row('d', 'a', { start: 1, failed: true }),
      row('e', 'd', { failed: true, failure: '' }),
      row('f', 'e'),
    )
    const open = openAtFirst(tree)
    expect(ids(visibleNodes(tree, open))).toEqual(['a', 'b', 'd', 'e'])
    expect(wayTo(tree.nodes.get('f')!)).toEqual(['e', 'd', 'a'])
  })

  test('are at first two levels if nothing failed, and the waiting spans', () => {
    const rows = [row('a', null), row('b', 'a'), row('c', 'b'), row('d', 'c')]
    const calm = treeWith(...rows)
    expect(ids(visibleNodes(calm, openAtFirst(calm)))).toEqual(['a', 'b', 'c'])
    const waiting = treeWith(...rows, row('e', 'd', { role: 'wait', state: 'waiting' }))
    expect(ids(visibleNodes(waiting, openAtFirst(waiting)))).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})

describe('sums over a plan', () => {
  test('count overlapping waits once, and an open wait until now', () => {
    const wait = (id: string, start: number, duration: number, state: Row['state'] = 'completed') =>
      row(id, null, { role: 'wait', start, duration, state })
    const { nodes } = treeWith(wait('a', 0, 10), wait('b', 5, 10), wait('c', 100, 0, 'waiting'), row('d', null))
    expect(waitedOf(nodes.values())).toBe(15)
    expect(waitedOf(nodes.values(), 130)).toBe(45)
  })

  test('list models, the one with the most calls first', () => {
    const call = (id: string, name: string) => row(id, null, { role: 'llm', name })
    const { nodes } = treeWith(
      call('a', 'small'),
      call('b', 'large'),
      call('c', 'large'),
      call('d', 'Model call'),
      call('e', 'any'),
    )
    expect(modelsOf(nodes.values())).toEqual(['large', 'any', 'small'])
  })
})
