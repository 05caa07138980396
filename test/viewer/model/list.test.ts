import { describe, expect, test } from 'vitest'

import { activeFilters, listQueryOf, toggled } from '../../../viewer/src/list/filters.js'
import type { PlanJson } from '../../../src/wire/index.js'
import {
  countOf,
  NO_ROWS,
  pagesAt,
  planAt,
  type PlanRows,
  withChanges,
  withoutFar,
  withoutGone,
  withPage,
  withPageAgain,
  withWaiting,
} from '../../../viewer/src/list/plan-rows.js'

const plan = (planId: string, tokens = 0) => ({ planId, traceId: 'a', tokens }) as PlanJson
const names = (plans: readonly PlanJson[]) => plans.map(({ planId }) => planId)

describe('the filters of a URL', () => {
  const NOW = Date.UTC(2026, 2, 4, 12)

  test('are passed on unchanged, and a relative time relative to now', () => {
    const parameters = new URLSearchParams(
      'state=failed,waiting&text=a%20b&since=24h&sort=risk&order=asc&view=tree&tool=',
    )
    expect(listQueryOf(parameters, NOW)).toEqual({
      state: 'failed,waiting',
      text: 'a b',
      since: '2026-03-03T12:00:00.000Z',
      sort: 'risk',
      order: 'asc',
    })
    expect(listQueryOf(new URLSearchParams('since=2026-01-01'), NOW)).toEqual({ since: '2026-01-01' })
  })

  test('are listed individually', () => {
    const reported = activeFilters(new URLSearchParams('state=failed,waiting&errorType=TimeoutError'))
    expect(reported.map(({ title, value }) => `${title} ${value}`)).toEqual([
      'State failed',
      'State waiting',
      'Error TimeoutError',
    ])
  })

  test.each([
    ['state', null, 'failed', 'failed'],
    ['state', 'failed', 'waiting', 'failed,waiting'],
    ['state', 'failed,waiting', 'failed', 'waiting'],
    ['state', 'failed', 'failed', undefined],
    ['tool', 'bash', 'grep', 'grep'],
    ['tool', 'bash,grep', 'bash,grep', undefined],
  ])('%s=%s with %s is %s', (name, current, value, expected) => {
    expect(toggled(name, current, value)).toBe(expected)
  })
})

describe('the rows of a list', () => {
  const rowsWith = (shown: readonly PlanJson[], waiting: readonly PlanJson[] = []): PlanRows =>
    withPage({ ...NO_ROWS, waiting }, shown)
  const shownNames = (rows: PlanRows) =>
    Array.from({ length: countOf(rows) }, (_, index) => planAt(rows, index)?.planId ?? '-').join('')
  /** Pages of two, each named by the cursor that reads it again. */
  const paged = (...pages: readonly string[]): PlanRows =>
    pages.reduce(
      (rows, page) =>
        withPage(
          rows,
          [...page].map((name) => plan(name)),
          `before ${page}`,
        ),
      NO_ROWS,
    )

  test('are updated in place, and new ones wait in front, the newest first', () => {
    const before = rowsWith([plan('a'), plan('b')], [plan('c')])
    const after = withChanges(before, [plan('b', 7), plan('c', 8), plan('d'), plan('e')])
    expect(shownNames(after)).toBe('ab')
    expect(names(after.waiting)).toEqual(['e', 'd', 'c'])
    expect([planAt(after, 1)!.tokens, after.waiting[2]!.tokens]).toEqual([7, 8])
    const all = withWaiting(after)
    expect(shownNames(all)).toBe('edcab')
    expect(planAt(withChanges(all, [plan('d', 9)]), 1)!.tokens).toBe(9)
  })

  test('leave their positions, and a page adds only missing rows', () => {
    const rows = withoutGone(rowsWith([plan('a'), plan('b')], [plan('c')]), new Set(['a b', 'a c']))
    expect([shownNames(rows), names(rows.waiting)]).toEqual(['a', []])
    expect(shownNames(withPage(rowsWith([plan('a')], [plan('b')]), [plan('a'), plan('b'), plan('c')]))).toBe('ac')
  })

  test('are kept for the first page and near the viewport, and the others counted', () => {
    const rows = paged('ab', 'cd', 'ef', 'gh', 'ij')
    const near = withoutFar(rows, pagesAt(rows, { first: 7, last: 8 }), 3)
    expect(shownNames(near)).toBe('ab--efghij')
    expect(withoutFar(rows, [0], 5)).toBe(rows)
    const changed = withChanges(near, [plan('g', 1), plan('a', 2)])
    expect([shownNames(changed), names(changed.waiting)]).toEqual(['ab--efghij', []])
    expect(pagesAt(withWaiting({ ...near, waiting: [plan('x')] }), { first: 2, last: 3 })).toEqual([0, 1])
  })

  test('are reloaded as far as the page went, including new ones in between', () => {
    const rows = withoutFar(paged('ab', 'cd', 'ef'), [2], 1)
    expect(shownNames(rows)).toBe('ab--ef')
    const again = withPageAgain(
      rows,
      1,
      [...'cxdefg'].map((name) => plan(name)),
    )
    expect(shownNames(again)).toBe('abcxdef')
    expect(again.pages[1]!.cursor).toBe('before cd')
    const withoutLast = withPageAgain(
      rows,
      1,
      [...'cefg'].map((name) => plan(name)),
    )
    expect(shownNames(withoutLast)).toBe('abcef')
  })
})
