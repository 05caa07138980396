import { describe, expect, test } from 'vitest'

import { agentGraphOf, edgeKeyOf, placeOf } from '../../../viewer/src/model/agent-graph.js'
import type { Row } from '../../../viewer/src/model/row.js'
import { row as rowOf, treeWith } from '../support/rows.js'

let starts = 0
const row = (id: string, parent: string | null, role: Row['role'], more: Partial<Row> = {}): Row =>
  rowOf(id, parent, { role, start: starts++, ...more })

describe('the graph of a plan', () => {
  const tree = treeWith(
    row('trip', null, 'plan'),
    row('scout-1', 'trip', 'agent', { name: 'scout' }),
    row('cycle', 'scout-1', 'think_act'),
    row('ask', 'cycle', 'llm', { name: 'large', tokens: 100 }),
    row('look-1', 'cycle', 'tool', { name: 'look' }),
    row('look-2', 'cycle', 'tool', { name: 'look', failed: true }),
    row('judge', 'cycle', 'guardrail', { name: 'safepred', judgement: 'stopped' }),
    row('detail', 'look-2', 'plan'),
    row('scout-2', 'detail', 'agent', { name: 'scout', state: 'running', pending: true }),
    row('think', 'scout-2', 'llm', { name: 'large', tokens: 20 }),
    row('yes?', 'trip', 'wait', { state: 'waiting' }),
    row('no?', 'trip', 'wait'),
  )
  const { nodes, edges, places } = agentGraphOf(tree)

  test('has agents, tools, models, plans and people as nodes, and attributes cycles to their agents', () => {
    expect([...nodes.keys()]).toEqual([
      'plan trip',
      'agent scout',
      'llm large',
      'tool look',
      'guardrail safepred',
      'plan detail',
      'wait A person',
    ])
    expect(nodes.get('wait A person')).toMatchObject({ spans: ['yes?', 'no?'], state: 'waiting' })
    expect(nodes.get('tool look')).toMatchObject({ spans: ['look-1', 'look-2'], failures: 1, duration: 20 })
    expect(nodes.get('guardrail safepred')).toMatchObject({ stopped: 1, taken: 0 })
    expect(nodes.get('agent scout')).toMatchObject({ state: 'running' })
  })

  test('has calls as edges, from the nearest caller', () => {
    const called = [...edges.values()].map(({ from, to, spans, failures }) => [from, to, spans.length, failures])
    expect(called).toEqual([
      ['plan trip', 'agent scout', 1, 0],
      ['agent scout', 'llm large', 2, 0],
      ['agent scout', 'tool look', 2, 1],
      ['agent scout', 'guardrail safepred', 1, 0],
      ['tool look', 'plan detail', 1, 0],
      ['plan detail', 'agent scout', 1, 0],
      ['plan trip', 'wait A person', 2, 0],
    ])
  })

  test('counts tokens of nested spans once', () => {
    expect(nodes.get('agent scout')?.tokens).toBe(120)
    expect(edges.get(edgeKeyOf('plan trip', 'agent scout'))?.tokens).toBe(120)
    expect(edges.get(edgeKeyOf('plan detail', 'agent scout'))?.tokens).toBe(20)
    expect(nodes.get('llm large')?.tokens).toBe(120)
  })

  test('returns the node of a span', () => {
    const placed = (id: string) => placeOf(tree.nodes.get(id)!, { nodes, edges, places })?.key
    expect([placed('look-2'), placed('cycle'), placed('trip')]).toEqual(['tool look', 'agent scout', 'plan trip'])
  })
})

test('combines the rarest tools into one node, except those that failed', () => {
  const calls = Array.from({ length: 300 }, (_, call) => row(`call-${call}`, 'a', 'tool', { failed: call === 299 }))
  const often = Array.from({ length: 5 }, (_, call) => row(`often-${call}`, 'a', 'tool', { name: 'often' }))
  const tree = treeWith(row('a', null, 'agent'), ...calls, ...often)
  const { nodes, edges, places } = agentGraphOf(tree)
  const tools = [...nodes.values()].filter(({ role }) => role === 'tool')
  expect(tools).toHaveLength(20)
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['often', 'call-299', '282 more tools']))
  expect(tools.reduce((sum, { spans }) => sum + spans.length, 0)).toBe(305)
  expect(edges.size).toBe(20)
  expect(placeOf(tree.nodes.get('call-200')!, { nodes, edges, places })?.name).toBe('282 more tools')
})

test('always shows the root node separately', () => {
  const below = Array.from({ length: 40 }, (_, index) => row(`sub-${index}`, 'root', 'plan', { failed: true }))
  const { nodes } = agentGraphOf(treeWith(...below, row('root', null, 'plan')))
  expect([...nodes.values()].map(({ name }) => name)).toEqual(expect.arrayContaining(['root', '30 more plans']))
})
