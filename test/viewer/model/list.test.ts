import { describe, expect, test } from 'vitest'

import type { PlanJson } from '../../../src/server/index.js'
import { activeFilters, listQueryOf, toggled } from '../../../viewer/src/list/filters.js'
import { withChanges, withoutGone, withPage, withWaiting } from '../../../viewer/src/list/plan-rows.js'

const plan = (planId: string, tokens = 0) => ({ planId, traceId: 'a', tokens }) as PlanJson
const names = (plans: readonly PlanJson[]) => plans.map(({ planId }) => planId)

describe('the filters of a URL', () => {
  const NOW = Date.UTC(2026, 2, 4, 12)

  test('are asked for as they are, and a relative time as of now', () => {
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

  test('are told one by one', () => {
    const told = activeFilters(new URLSearchParams('state=failed,waiting&errorType=TimeoutError'))
    expect(told.map(({ title, value }) => `${title} ${value}`)).toEqual([
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
  test('change in their places, and new ones wait in front, the newest first', () => {
    const before = { shown: [plan('a'), plan('b')], waiting: [plan('c')] }
    const after = withChanges(before, [plan('b', 7), plan('c', 8), plan('d'), plan('e')])
    expect(names(after.shown)).toEqual(['a', 'b'])
    expect(names(after.waiting)).toEqual(['e', 'd', 'c'])
    expect([after.shown[1]!.tokens, after.waiting[2]!.tokens]).toEqual([7, 8])
    expect(names(withWaiting(after).shown)).toEqual(['e', 'd', 'c', 'a', 'b'])
  })

  test('go where they leave, and a page adds only what is not there', () => {
    const rows = withoutGone({ shown: [plan('a'), plan('b')], waiting: [plan('c')] }, new Set(['a b', 'a c']))
    expect([names(rows.shown), names(rows.waiting)]).toEqual([['a'], []])
    expect(
      names(withPage({ shown: [plan('a')], waiting: [plan('b')] }, [plan('a'), plan('b'), plan('c')]).shown),
    ).toEqual(['a', 'c'])
  })
})
