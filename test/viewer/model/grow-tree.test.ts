import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { grown } from '../../../viewer/src/model/grow-tree.js'
import type { Row } from '../../../viewer/src/model/row.js'
import { type Node, type Tree, treeOf } from '../../../viewer/src/model/tree.js'

const ids = Array.from({ length: 9 }, (_, index) => String(index))
const few = fc.integer({ min: 0, max: 5 })

/** Few ids and times, so that spans repeat, lack parents, form cycles and start simultaneously. */
const anyRow: fc.Arbitrary<Row> = fc.record({
  id: fc.constantFrom(...ids),
  parent: fc.option(fc.constantFrom(...ids)),
  role: fc.constantFrom<Row['role']>('agent', 'tool', null),
  name: fc.constantFrom('one', 'other'),
  label: fc.constant(''),
  start: few,
  duration: few,
  state: fc.constantFrom<Row['state']>('running', 'failed', null),
  failed: fc.boolean(),
  pending: fc.boolean(),
  tokens: fc.option(few),
  risk: fc.option(fc.constantFrom(-0.5, 0, 0.5, 1)),
  judgement: fc.constantFrom<Row['judgement']>('taken', 'stopped', null),
  segment: fc.nat({ max: 2 }),
  failure: fc.option(fc.constant('broken')),
  costUsd: fc.option(few),
})
const lots = fc.array(fc.array(anyRow, { maxLength: 6 }), { maxLength: 8 })

/** All values of a node; checks that its children and its tree refer to it. */
function shapeOf(node: Node, { nodes }: Tree): object {
  expect(nodes.get(node.row.id)).toBe(node)
  for (const child of node.children) expect(child.parent).toBe(node)
  return {
    ...node,
    parent: node.parent?.row.id,
    children: node.children.map((child) => shapeOf(child, { nodes } as Tree)),
  }
}

const whole = (tree: Tree): object => ({
  ...tree,
  roots: tree.roots.map((root) => shapeOf(root, tree)),
  nodes: [...tree.nodes.keys()].toSorted(),
})

describe('a growing tree', () => {
  test('equals the tree built from all rows', () => {
    fc.assert(
      fc.property(lots, (lots) => {
        const rows = new Map<string, Row>()
        let tree = treeOf(rows)
        for (const lot of lots) {
          for (const row of lot) rows.set(row.id, row)
          tree = grown(tree, lot)
          expect(whole(tree)).toEqual(whole(treeOf(rows)))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('has a new node if it or any descendant has changed', () => {
    const kept = fc.property(lots, (lots) => {
      let tree = treeOf(new Map())
      for (const lot of lots) {
        const before = [...tree.nodes].map(([id, node]) => ({ id, node, shape: shapeOf(node, tree) }))
        tree = grown(tree, lot)
        const same = before.filter(({ id, node }) => tree.nodes.get(id) === node)
        expect(same.map(({ node }) => shapeOf(node, tree))).toEqual(same.map(({ shape }) => shape))
      }
    })
    expect(fc.check(kept, { numRuns: 300 }).counterexample).toBeNull()
  })

  const row = (id: string, parent: string | null, start = 0): Row => ({
    id,
    parent,
    role: 'tool',
    name: id,
    label: '',
    start,
    duration: 1,
    state: 'running',
    failed: false,
    pending: true,
    tokens: null,
    risk: null,
    judgement: null,
    segment: 0,
    failure: null,
    costUsd: null,
  })

  test('keeps the nodes beside the change', () => {
    const tree = treeOf(
      new Map([row('a', null), row('b', 'a'), row('c', 'a'), row('d', 'b')].map((one) => [one.id, one])),
    )
    const before = new Map(tree.nodes)
    const { nodes } = grown(tree, [{ ...row('d', 'b'), pending: false }, row('e', 'b')])
    const others = [...before].filter(([id, node]) => nodes.get(id) !== node).map(([id]) => id)
    expect(others.toSorted()).toEqual(['a', 'b', 'd'])
  })

  test('is identical if nothing has changed', () => {
    const tree = treeOf(new Map([['a', row('a', null, 1_772_625_600_000.123)]]))
    expect(grown(tree, [row('a', null, 1_772_625_600_000.1233)])).toBe(tree)
  })
})
