import { describe, expect, test } from 'vitest'

import type { StepsJson } from '../../../src/client/index.js'
import { type CourseRow, courseOf, placeOf } from '../../../viewer/src/model/course-rows.js'
import type { Row } from '../../../viewer/src/model/row.js'
import { treeOf } from '../../../viewer/src/model/tree.js'
import { row as rowOf, treeWith } from '../support/rows.js'

type Plan = StepsJson['plans'][number]

const row = (id: string, parent: string | null, role: Row['role'], start = 0): Row => rowOf(id, parent, { role, start })

const step = (index: number, title: string, agents: string[] = [], calls: string[] = []): Plan['steps'][number] => ({
  index,
  id: null,
  title,
  state: agents.length > 0 ? 'completed' : null,
  agents,
  calls,
})
const version = (spanId: string, time: number, more: Partial<Plan['versions'][number]> = {}) => ({
  spanId,
  time: new Date(time).toISOString(),
  planner: null,
  revision: null,
  reason: null,
  steps: 2,
  text: null,
  changes: [],
  ...more,
})
const plan = (fields: Partial<Plan> = {}): Plan => ({
  spanId: 'plan',
  planId: 'plan-1',
  steps: [],
  others: [],
  versions: [],
  reviews: [],
  waits: [],
  ...fields,
})
const review = (fields: Partial<Plan['reviews'][number]>) => ({
  attempt: null,
  action: 'ACCEPT_PLAN',
  feedback: null,
  reviewer: null,
  time: null,
  wait: null,
  ...fields,
})

/** A row in a word or two. */
function labelOf(one: CourseRow): string {
  switch (one.kind) {
    case 'work': {
      const before = one.step ? `${one.step.index} ` : one.aside === undefined ? '' : `${one.aside}: `
      return `${before}${one.node?.row.id ?? 'idle'} [${one.cells.map((cell) => cell.row.id).join()}]`
    }
    case 'mark':
      return one.mark.kind === 'version' ? `version ${one.mark.number}` : one.mark.kind
    case 'note':
      return `${one.label}: ${one.text}`
    case 'change':
      return `${one.change.kind} ${one.change.title}`
    case 'more':
      return `${one.count} more`
    case 'fault':
      return `fault ${one.node.row.id} of ${one.count}`
    case 'deeper':
      return `deeper ${one.node.row.id}`
  }
}
const courseWith = (plans: Plan[], ...rows: Row[]) => courseOf({ traceId: 't', plans }, treeWith(...rows))
const linesOf = (...args: Parameters<typeof courseWith>) => courseWith(...args).rows.map(labelOf)

describe('a plan as lines', () => {
  test('has its steps with their agents, and separately the spans that belong to no step', () => {
    const plans = [plan({ steps: [step(0, 'Look', ['a', 'b']), step(1, 'Book')], others: ['c'] })]
    const rows = [
      row('plan', null, 'plan'),
      row('a', 'plan', 'agent', 1),
      row('a1', 'a', 'think_act', 1),
      row('a1 call', 'a1', 'tool', 1),
      row('a2', 'a', 'llm', 2),
      row('b', 'plan', 'agent', 3),
      row('c', 'plan', 'agent', 4),
      row('c1', 'c', 'think_act', 4),
    ]
    expect(linesOf(plans, ...rows)).toEqual(['0 a [a1,a2]', 'b []', '1 idle []', 'No step requested this: c [c1]'])
    expect(courseWith(plans, ...rows)).toMatchObject({ steps: 2, done: 1 })
  })

  test('has marks at their times: before the first step that began later', () => {
    const rows = [
      row('plan', null, 'plan'),
      row('v1', 'plan', 'planning'),
      row('a', 'plan', 'agent', 20),
      row('v2', 'plan', 'planning', 25),
      row('b', 'plan', 'agent', 40),
      row('w', 'b', 'wait', 45),
    ]
    const plans = [
      plan({
        steps: [step(0, 'Look', ['a']), step(1, 'Book', ['b']), step(2, 'Pay')],
        versions: [
          version('v1', 10),
          version('v2', 30, {
            reason: 'Too dear',
            changes: [{ kind: 'added', index: 2, title: 'Pay', was: null }],
          }),
        ],
        waits: [
          { spanId: 'w', reason: null, title: null, question: 'Sure?', answers: [], resolution: null, actor: null },
        ],
        reviews: [review({ attempt: 1, feedback: 'cheaper' }), review({ attempt: 2, wait: 'w', feedback: 'fine' })],
      }),
    ]
    expect(linesOf(plans, ...rows)).toEqual([
      'version 1',
      'review',
      'Said: cheaper',
      '0 a []',
      'version 2',
      'Why: Too dear',
      'added Pay',
      '1 b []',
      'wait',
      'Question: Sure?',
      'Said: fine',
      '2 idle []',
    ])
  })

  test('has all of 40 sub-plans within each other, and a link to what is deeper than 200 levels', () => {
    const nested = (levels: number): CourseRow[] => {
      const indexes = Array.from({ length: levels }, (_, at) => at)
      const plans = indexes.map((at) =>
        plan({ spanId: `plan-${at}`, steps: [step(0, 'Delegate', [`agent-${at}`])], others: [] }),
      )
      const rows = indexes.flatMap((at) => [
        row(`plan-${at}`, at === 0 ? null : `agent-${at - 1}`, 'plan', at),
        row(`agent-${at}`, `plan-${at}`, 'agent', at),
      ])
      return [...courseWith(plans, ...rows).rows]
    }
    expect(nested(40).filter(({ id }) => id?.startsWith('agent'))).toHaveLength(40)
    expect(nested(150).filter(({ kind }) => kind === 'deeper')).toHaveLength(1)
  })

  test('has the last failure of an agent below it, and the number of its failures', () => {
    const plans = [plan({ steps: [step(0, 'Pay', ['a'])] })]
    const failed = (id: string, start: number): Row => ({
      ...row(id, 'a', 'tool', start),
      failure: '502',
      failed: true,
    })
    expect(
      linesOf(plans, row('plan', null, 'plan'), row('a', 'plan', 'agent'), failed('b', 1), failed('c', 2)),
    ).toEqual(['0 a [b,c]', 'fault c of 2'])
  })

  test('has sub-plans and nested agents within the block of the step', () => {
    const plans = [
      plan({ steps: [step(0, 'Look', ['a'])] }),
      plan({ spanId: 'sub', steps: [step(0, 'List', ['s']), step(1, 'Rank')] }),
    ]
    const { rows } = courseWith(
      plans,
      row('plan', null, 'plan'),
      row('a', 'plan', 'agent'),
      row('a1', 'a', 'think_act'),
      row('call', 'a1', 'tool'),
      row('sub', 'call', 'plan'),
      row('s', 'sub', 'agent'),
      row('helper', 's', 'agent'),
    )
    expect(rows.map((one) => [labelOf(one), one.depth, one.block])).toEqual([
      ['0 a [a1]', 0, { at: 0, of: 5 }],
      ['sub []', 1, { at: 1, of: 5 }],
      ['0 s []', 2, { at: 2, of: 5 }],
      ['helper []', 3, { at: 3, of: 5 }],
      ['1 idle []', 2, { at: 4, of: 5 }],
    ])
  })

  test('has calls for a step under the agent that made them', () => {
    const plans = [plan({ steps: [step(0, 'Read', [], ['x', 'y']), step(1, 'Write', [], ['z'])] })]
    const rows = [
      row('plan', null, 'plan'),
      row('a', 'plan', 'agent'),
      row('x', 'a', 'tool', 1),
      row('y', 'a', 'tool', 2),
      row('z', 'a', 'tool', 3),
    ]
    expect(linesOf(plans, ...rows)).toEqual(['0 a [x,y]', '1 a [z]'])
  })

  test('locates a span in its own row, or in the row that contains it', () => {
    const rows = [
      row('plan', null, 'plan'),
      row('a', 'plan', 'agent'),
      row('a1', 'a', 'think_act', 1),
      row('a2', 'a', 'think_act', 2),
      row('call', 'a2', 'tool', 2),
    ]
    const course = courseWith([plan({ steps: [step(0, 'Look', ['a'])] })], ...rows)
    const { nodes } = treeWith(...rows)
    expect(placeOf(course, nodes.get('a'))).toEqual({ row: 0, cell: undefined })
    expect(placeOf(course, nodes.get('call'))).toEqual({ row: 0, cell: 1 })
    expect(placeOf(course, nodes.get('plan'))).toBeUndefined()
  })

  test('supports 100,000 cycles of an agent, and as many spans beside the plan', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => row(`cycle ${index}`, 'a', 'think_act', index))
    const beside = many.map(({ id }) => row(`beside ${id}`, 'root', null))
    const above = [row('root', null, null), row('plan', 'root', 'plan'), row('a', 'plan', 'agent')]
    const tree = treeOf(new Map([...above, ...many, ...beside].map((one) => [one.id, one])))
    const { rows } = courseOf({ traceId: 't', plans: [plan({ steps: [step(0, 'Look', ['a'])] })] }, tree)
    expect(rows.map((one) => one.kind === 'work' && one.cells.length)).toEqual([100_000])
  })

  test('omits what has not arrived yet, and the details of an unknown plan', () => {
    expect(linesOf([plan({ steps: [step(0, 'Look', ['a'])] })], row('plan', null, 'plan'))).toEqual(['0 idle []'])
    expect(linesOf([], row('plan', null, 'plan'))).toEqual([])
  })
})
