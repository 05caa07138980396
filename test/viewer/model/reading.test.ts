import { expect, test } from 'vitest'
import type { SpanReading } from '../../../src/wire/index.js'

import { missingTelemetry } from '../../../viewer/src/model/reading.js'

const span = (role: string | null, taken: SpanReading['taken'] = {}, why = 'gen_ai.operation.name = chat') =>
  ({ role, taken, why }) as SpanReading

const EXPECTED = [
  { role: 'llm', attribute: 'tokens', what: 'Tokens of' },
  { role: 'llm', attribute: 'prompt', what: 'Prompts of' },
  { role: 'tool', attribute: 'result', what: 'Results of' },
]

test('missing telemetry is described by kind and count', () => {
  const spans = [
    span('llm', { tokens: 'usage' }),
    span('llm', { tokens: null }),
    span('llm'),
    span('tool', { result: 'output' }),
    span(null, {}, 'not understood: no rule matches'),
  ]
  expect(missingTelemetry(spans, EXPECTED)).toEqual([
    'Tokens of 1 of 3',
    'Prompts of all 3',
    '1 span that no rule matches',
  ])
  expect(missingTelemetry([span('tool', { result: 'x' }), span(null, {}, 'not part of an agent')], EXPECTED)).toEqual(
    [],
  )
})
