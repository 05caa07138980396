import { expect, test } from 'vitest'

import { judgedIn } from '../../../viewer/src/model/judged.js'
import type { Row } from '../../../viewer/src/model/row.js'
import { row, treeWith } from '../support/rows.js'

test.each<[Row['judgement'], Row['judgement'][]]>([
  [null, []],
  [null, [null]],
  ['safe', [null, 'safe']],
  ['unsafe', ['safe', 'unsafe', null]],
  ['stopped', ['unsafe', 'stopped']],
  ['taken', ['stopped', 'taken']],
])('a cycle is judged %s by %j', (judged, judgements) => {
  const guardrails = judgements.map((judgement, at) =>
    row(`g${at}`, 'cycle', { role: 'guardrail', judgement, risk: 0.9 }),
  )
  const { roots } = treeWith(row('cycle', null, { role: 'think_act' }), ...guardrails)
  expect(judgedIn(roots[0]!) ?? null).toBe(judged)
})
