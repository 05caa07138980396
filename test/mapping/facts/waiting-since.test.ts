import { expect, it } from 'vitest'

import { traceFacts } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'
import { at, finalRow, snapshotRow } from '../../support/live-rows.js'

it('a plan waits since the first wait that needs an answer, not since one of a sub-plan that is over', () => {
  const below = { planId: 'sub-plan', rootId: 'p' }
  const waiting = { [ATTR.state]: 'waiting' }
  const rows = [
    snapshotRow({ id: 'plan', role: 'plan', end: 9 }, 0),
    finalRow({ id: 'sub-plan', role: 'plan', parent: 'plan', ...below, start: 1, end: 5 }),
    finalRow({ id: 'asked below', role: 'wait', parent: 'sub-plan', ...below, start: 2, end: 3, attributes: waiting }),
    finalRow({ id: 'asked', role: 'wait', parent: 'plan', start: 6, end: 7, attributes: waiting }),
  ]
  const facts = traceFacts(rows, () => undefined).plans.find(({ isRoot }) => isRoot)
  expect(facts).toMatchObject({ state: 'waiting', waitingSince: at(7) })
})
