import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { comparePlans, type CostOfCall, planTotals, planTree, type PairComparison } from '../../../src/mapping/index.js'
import { unitsOf } from '../../../src/mapping/compare/plan-units.js'
import { Interner } from '../../../src/mapping/align/align.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { branchingLife } from '../../support/branching-plan.js'
import { finalRow, spanIdOf, type LiveRow } from '../../support/live-rows.js'

/** A tool call of a cycle. */
interface Call {
  readonly tool: string
  readonly given?: object | string
  readonly result?: string
  readonly error?: string
}

/** The work of a step's agent: the calls of each cycle. */
interface Step {
  readonly title: string
  readonly cycles: readonly (readonly Call[])[]
  readonly state?: string
}

const plan = (steps: readonly Step[], attributes: LiveRow['attributes'] = {}): StoredSpan[] => [
  finalRow({ id: 'plan', role: 'plan', start: 0, end: 1000, attributes: { [ATTR.state]: 'completed', ...attributes } }),
  ...steps.flatMap(({ title, cycles, state = 'completed' }, step) => [
    finalRow({
      id: `a${step}`,
      role: 'agent',
      parent: 'plan',
      seq: step,
      start: step * 100,
      end: step * 100 + 90,
      attributes: {
        [ATTR.stepIndex]: String(step),
        [ATTR.stepDescription]: title,
        [ATTR.agentName]: 'worker',
        [ATTR.state]: state,
      },
    }),
    ...cycles.flatMap((calls, cycle) => cycleRows(calls, `${step}.${cycle}`, `a${step}`, cycle)),
  ]),
]

const cycleRows = (calls: readonly Call[], id: string, parent: string, seq: number): StoredSpan[] => [
  finalRow({ id: `c${id}`, role: 'think_act', parent, seq, start: seq, end: seq + 1 }),
  finalRow({
    id: `m${id}`,
    role: 'llm',
    parent: `c${id}`,
    start: seq,
    attributes: { [ATTR.requestModel]: 'gpt-4o', [ATTR.usageInputTokens]: '10', [ATTR.usageOutputTokens]: '5' },
  }),
  ...calls.map(({ tool, given, result, error }, call) =>
    finalRow({
      id: `t${id}.${call}`,
      role: 'tool',
      parent: `c${id}`,
      seq: call,
      start: seq + 0.5,
      error: error !== undefined,
      attributes: {
        [ATTR.toolName]: tool,
        ...(given === undefined
          ? {}
          : { [ATTR.toolCallArguments]: typeof given === 'string' ? given : JSON.stringify(given) }),
        ...(result === undefined ? {} : { [ATTR.toolCallResult]: result }),
        ...(error === undefined ? {} : { [ATTR.errorMessage]: error }),
      },
    }),
  ),
]

const treeOf = (rows: readonly StoredSpan[]) => planTree(rows)!

function compare(...plans: readonly (readonly StoredSpan[])[]): PairComparison {
  const [first] = comparePlans(plans.map(treeOf))
  return first!
}

const search = (query: string, result = 'found') => ({ tool: 'search', given: { query, max: 3 }, result })
const FIND: Step = { title: 'Find', cycles: [[search('cats')], [search('dogs')]] }
const BOOK: Step = { title: 'Book', cycles: [[{ tool: 'book', given: { room: 7 } }]] }

describe('two plans', () => {
  test('are the same if they did the same, whatever they used and whatever models wrote', () => {
    const other = plan([FIND, BOOK]).map((row) => ({ ...row, endTimeUnixNano: row.endTimeUnixNano + 5n }))
    const compared = compare(plan([FIND, BOOK]), other)
    expect(compared).toMatchObject({ isSame: true, firstDivergence: null, earlierResult: null, rowCount: 1 })
    expect(compared.counts).toEqual({ same: 12, changed: 0, base: 0, other: 0 })
    expect(compared.rows).toMatchObject([{ kind: 'same', units: 12, base: { tokens: 45 }, other: { tokens: 45 } }])
  })

  test('are the same if arguments differ only in white space and in the order of keys', () => {
    const [one, other] = ['{"a": 1, "b": [1, {"d": 2, "c": 3}]}', '{"b":[1,{"c":3,"d":2}],"a":1}'].map((given) =>
      plan([{ title: 'Call', cycles: [[{ tool: 'call', given }]] }]),
    )
    expect(compare(one!, other!).isSame).toBe(true)
  })

  test('diverge where a tool has other arguments', () => {
    const other = plan([{ ...FIND, cycles: [[search('cats')], [search('birds')]] }, BOOK])
    const { isSame, counts, firstDivergence, rows } = compare(plan([FIND, BOOK]), other)
    expect(isSame).toBe(false)
    expect(counts).toEqual({ same: 11, changed: 1, base: 0, other: 0 })
    expect(firstDivergence).toEqual({
      path: 'step 1 "Find" › cycle 2 › tool call 1 search',
      differences: ['detail'],
      base: 'called search with {"query":"dogs","max":3}, completed',
      other: 'called search with {"query":"birds","max":3}, completed',
      baseSpanId: spanIdOf('t0.1.0'),
      otherSpanId: spanIdOf('t0.1.0'),
    })
    expect(rows.map(({ kind, depth, path, units }) => [kind, depth, path, units])).toEqual([
      ['within', 0, 'plan', 1],
      ['within', 1, 'step 1 "Find"', 1],
      ['same', 2, 'step 1 "Find" › cycle 1', 3],
      ['within', 2, 'step 1 "Find" › cycle 2', 1],
      ['same', 3, 'step 1 "Find" › cycle 2 › model call 1 gpt-4o', 1],
      ['changed', 3, 'step 1 "Find" › cycle 2 › tool call 1 search', 1],
      ['same', 1, 'step 2 "Book"', 4],
    ])
  })

  test('diverge where only one has a further cycle, and continue side by side', () => {
    const base = plan([{ ...FIND, cycles: [...FIND.cycles, [search('fish')]] }, BOOK])
    const { counts, firstDivergence } = compare(base, plan([{ ...FIND, cycles: [...FIND.cycles] }, BOOK]))
    expect(counts).toEqual({ same: 12, changed: 0, base: 3, other: 0 })
    expect(firstDivergence).toMatchObject({
      path: 'step 1 "Find" › cycle 3',
      base: 'took a cycle that called search, completed',
      other: 'did nothing more there',
      otherSpanId: null,
    })
  })

  test('diverge where one first does something else', () => {
    const base = plan([{ ...FIND, cycles: [[search('cats')]] }])
    const other = plan([{ ...FIND, cycles: [[{ tool: 'ask', given: { who: 'me' } }, search('cats')]] }])
    const { firstDivergence, counts } = compare(base, other)
    expect(counts).toEqual({ same: 5, changed: 0, base: 0, other: 1 })
    expect(firstDivergence).toMatchObject({
      path: 'step 1 "Find" › cycle 1 › tool call 1 ask',
      base: 'did not, and went on: called search with {"query":"cats","max":3}, completed',
      other: 'called ask with {"who":"me"}, completed',
      baseSpanId: spanIdOf('t0.0.0'),
    })
  })

  test('diverge where a call fails, not where the plan fails because of it', () => {
    const failing = [[search('cats')], [{ ...search('dogs'), error: 'No network' }]]
    const other = plan([{ ...FIND, cycles: failing, state: 'failed' }], { [ATTR.state]: 'failed' })
    const { firstDivergence, rows } = compare(plan([FIND]), other)
    expect(firstDivergence).toMatchObject({
      path: 'step 1 "Find" › cycle 2 › tool call 1 search',
      differences: ['state', 'error'],
      base: 'called search with {"query":"dogs","max":3}, completed',
      other: 'called search with {"query":"dogs","max":3}, failed, "No network"',
    })
    expect(rows[0]).toMatchObject({ kind: 'changed', differences: ['state'], base: { state: 'completed' } })
    expect(rows.at(-1)).toMatchObject({ other: { state: 'failed', error: 'No network' } })
  })

  test('report a tool with another result before they diverge, also within equal parts', () => {
    const base = plan([FIND, BOOK])
    const other = plan([
      { ...FIND, cycles: [[search('cats', 'nothing')], [search('dogs')]] },
      { ...BOOK, title: 'Buy' },
    ])
    const { isSame, earlierResult, firstDivergence } = compare(base, other)
    expect(isSame).toBe(false)
    expect(earlierResult).toEqual({
      path: 'step 1 "Find" › cycle 1 › tool call 1 search',
      base: 'found',
      other: 'nothing',
      baseSpanId: spanIdOf('t0.0.0'),
      otherSpanId: spanIdOf('t0.0.0'),
    })
    expect(firstDivergence).toMatchObject({ path: 'step 2 "Book"', differences: ['action'] })
    const late = plan([FIND, { ...BOOK, cycles: [[{ tool: 'book', given: { room: 8 } }, search('x', 'other')]] }])
    const first = plan([FIND, { ...BOOK, cycles: [[{ tool: 'book', given: { room: 7 } }, search('x')]] }])
    expect(compare(first, late).earlierResult).toBeNull()
  })

  test('show the part of long arguments that differs', () => {
    const long = (end: string) =>
      plan([{ title: 'Write', cycles: [[{ tool: 'write', given: `${'x'.repeat(5000)}${end}` }]] }])
    const row = compare(long('here'), long('there')).rows.at(-1)
    expect(row?.base?.detail).toMatch(/^…x{80}here$/)
    expect(row?.other?.detail).toMatch(/^…x{80}there$/)
  })

  test('are compared without steps and content, too', () => {
    expect(compare(plan([]), plan([]))).toMatchObject({ isSame: true, rowCount: 1 })
    expect(compare(plan([]), plan([BOOK]))).toMatchObject({
      isSame: false,
      counts: { same: 1, other: 4 },
      firstDivergence: { path: 'step 1 "Book"', base: 'did nothing more there' },
    })
  })
})

describe('steps', () => {
  const planned = { [ATTR.planSteps]: JSON.stringify(['Find', 'Book']) }

  test('that have not begun are paired with the same step that has begun', () => {
    const { rows, firstDivergence } = compare(plan([FIND, BOOK], planned), plan([FIND], planned))
    expect(rows.map(({ kind, role, path }) => [kind, role, path]).slice(0, 3)).toEqual([
      ['within', 'plan', 'plan'],
      ['same', 'step', 'step 1 "Find"'],
      ['changed', 'step', 'step 2 "Book"'],
    ])
    expect(rows[2]).toMatchObject({
      base: { spanId: spanIdOf('a1'), state: 'completed' },
      other: { spanId: null, state: null },
    })
    expect(firstDivergence).toMatchObject({ path: 'step 2 "Book"', other: 'had the step "Book"' })
  })

  test('keep their positions beside an inserted step', () => {
    const ask: Step = { title: 'Ask', cycles: [[{ tool: 'ask' }]] }
    const { rows, counts } = compare(plan([FIND, BOOK]), plan([FIND, ask, BOOK]))
    expect(rows.map(({ kind, path }) => [kind, path])).toEqual([
      ['within', 'plan'],
      ['same', 'step 1 "Find"'],
      ['other', 'step 2 "Ask"'],
      ['same', 'step 2 "Book"'],
    ])
    expect(counts).toEqual({ same: 12, changed: 0, base: 0, other: 4 })
  })
})

describe('guardrails', () => {
  /** A guardrail judges a tool call unsafe; the call is taken or stopped. */
  const judged = (isTaken: boolean): StoredSpan[] => [
    ...plan([{ title: 'Pay', cycles: [isTaken ? [{ tool: 'pay', given: { eur: 5 } }] : []] }]),
    finalRow({
      id: 'g',
      role: 'guardrail',
      parent: 'c0.0',
      start: 0.2,
      end: 0.3,
      attributes: {
        [ATTR.guardrailName]: 'world',
        [ATTR.riskScore]: '0.8',
        [ATTR.riskIsSafe]: 'false',
        [ATTR.riskActionName]: 'pay',
        [ATTR.riskActionArguments]: '{"eur":5}',
        [ATTR.riskActionTaken]: String(isTaken),
      },
    }),
  ]

  test('show whether an unsafe action was stopped or taken', () => {
    const { firstDivergence, rows } = compare(judged(false), judged(true))
    expect(firstDivergence).toMatchObject({
      path: 'step 1 "Pay" › cycle 1 › guardrail 1 world',
      differences: ['taken'],
      base: 'judged by world, found it not safe, it was stopped',
      other: 'judged by world, found it not safe, it was taken',
    })
    expect(rows.find(({ role }) => role === 'tool')).toMatchObject({
      differences: ['state', 'error', 'taken'],
      base: { action: 'pay', detail: '{"eur":5}', state: 'cancelled', taken: false },
      other: { action: 'pay', detail: '{"eur":5}', state: 'completed', taken: true },
    })
    expect([judged(false), judged(true)].map((rows) => planTotals(treeOf(rows)))).toMatchObject([
      { risk: 0.8, judged: 1, unsafe: 1, unsafeStopped: 1, unsafeTaken: 0 },
      { risk: 0.8, judged: 1, unsafe: 1, unsafeStopped: 0, unsafeTaken: 1 },
    ])
  })
})

test('several plans are each compared with the first', () => {
  const trees = [plan([FIND]), plan([FIND, BOOK]), plan([FIND])].map(treeOf)
  expect(comparePlans(trees).map(({ isSame }) => isSame)).toEqual([false, true])
})

test('known costs are added', () => {
  const tree = treeOf(plan([FIND, BOOK]))
  const costOfCall: CostOfCall = ({ span }) => (span.spanId === spanIdOf('m0.0') ? 0.25 : undefined)
  expect(planTotals(tree, costOfCall)).toMatchObject({ costUsd: 0.25, tokens: 45, inputTokens: 30, outputTokens: 15 })
  const [compared] = comparePlans([tree, treeOf(plan([FIND]))], { costOfCall })
  expect(compared?.rows[1]).toMatchObject({ path: 'step 1 "Find"', base: { costUsd: 0.25 }, other: { costUsd: 0.25 } })
  expect(compared?.rows[2]).toMatchObject({ path: 'step 2 "Book"', base: { costUsd: null }, other: null })
})

test('only the requested rows are written', () => {
  const trees = [plan([FIND, BOOK]), plan([{ ...FIND, cycles: [[search('cats')], [search('birds')]] }])].map(treeOf)
  const [whole] = comparePlans(trees)
  const [part] = comparePlans(trees, { from: 2, limit: 3 })
  expect(part).toEqual({ ...whole, rows: whole!.rows.slice(2, 5) })
})

describe('any plans', () => {
  const unitsIn = (rows: readonly StoredSpan[]): number =>
    unitsOf(treeOf(rows), { interner: new Interner(), costOfCall: () => undefined }).figures.units

  test('are equal to themselves, and each unit of two plans is in exactly one row', () => {
    fc.assert(
      fc.property(branchingLife, branchingLife, (one, other) => {
        expect(compare(one, one)).toMatchObject({ isSame: true, rowCount: 1, firstDivergence: null })
        const [there, back] = [compare(one, other), compare(other, one)]
        expect(there.isSame).toBe(there.firstDivergence === null)
        expect(back.isSame).toBe(there.isSame)
        const { same, changed, base, other: alone } = there.counts
        expect(same + changed + base).toBe(unitsIn(one))
        expect(same + changed + alone).toBe(unitsIn(other))
        expect(there.rows.reduce((sum, { units }) => sum + units, 0)).toBe(same + changed + base + alone)
      }),
      { numRuns: 60 },
    )
  })

  test('may nest deeper than the stack', () => {
    const deep = (leaf: string) =>
      Array.from({ length: 8000 }, (_, level) =>
        finalRow({
          id: `l${level}`,
          role: level % 2 === 0 ? 'plan' : 'tool',
          parent: level === 0 ? '' : `l${level - 1}`,
          planId: `p${level - (level % 2)}`,
          rootId: 'p0',
          attributes: { [ATTR.toolName]: level === 7999 ? leaf : 'delegate' },
        }),
      )
    const { counts, firstDivergence } = compare(deep('one'), deep('other'))
    expect(counts).toEqual({ same: 7999, changed: 1, base: 0, other: 0 })
    expect(firstDivergence?.path).toMatch(/^… › (sub-plan 1 › tool call 1 delegate › ){2}sub-plan 1 › tool call 1 one$/)
  })
})
