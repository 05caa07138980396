import { expect, test } from 'vitest'

import { type EndedCall, groupCalls } from '../../../src/indexer/ended-calls.js'
import { callFamilies, CallMeter } from '../../../src/server/metrics/call-meter.js'
import { exposition } from '../../../src/server/metrics/exposition.js'

const call = (fields: Partial<EndedCall> = {}): EndedCall => ({
  durationNanos: 250_000_000n,
  provider: 'openai',
  model: 'gpt-4o',
  responseModel: 'gpt-4o-2024-08-06',
  errorType: '',
  inputTokens: 1000,
  outputTokens: 10,
  ...fields,
})

const countOf = (meter: CallMeter, measure: string, model: string): number =>
  meter.totals.find((total) => total.measure === measure && total.model === model)?.sizes.counts.at(-1) ?? 0

test('a call is counted in the buckets of its duration and its tokens', () => {
  const meter = new CallMeter()
  meter.count(
    groupCalls([call(), call({ durationNanos: 1_000_000_000n, errorType: 'TimeoutError', outputTokens: undefined })]),
  )
  const text = exposition(callFamilies(meter.totals), 'openmetrics')
  const names = 'gen_ai_operation_name="chat",gen_ai_provider_name="openai",gen_ai_request_model="gpt-4o"'
  const labels = `${names},gen_ai_response_model="gpt-4o-2024-08-06"`
  expect(text).toContain(`gen_ai_client_operation_duration_seconds_bucket{${labels},le="0.16"} 0\n`)
  expect(text).toContain(`gen_ai_client_operation_duration_seconds_bucket{${labels},le="0.32"} 1\n`)
  expect(text).toContain(`gen_ai_client_operation_duration_seconds_sum{${labels},error_type="TimeoutError"} 1\n`)
  expect(text).toContain(`gen_ai_client_token_usage_sum{${labels},gen_ai_token_type="input"} 2000\n`)
  expect(text).toContain(`gen_ai_client_token_usage_count{${labels},gen_ai_token_type="output"} 1\n`)
})

test('a call without times or tokens is counted only where it has a value', () => {
  const meter = new CallMeter()
  meter.count(groupCalls([call({ durationNanos: undefined, inputTokens: undefined })]))
  expect(meter.totals.map(({ measure }) => measure)).toEqual(['output'])
})

test('attribute sets beyond the limit are counted together', () => {
  const meter = new CallMeter()
  meter.count(groupCalls(Array.from({ length: 1500 }, (_, at) => call({ model: `made-up-${String(at)}` }))))
  expect(countOf(meter, 'duration', 'made-up-999')).toBe(1)
  expect(countOf(meter, 'duration', 'made-up-1000')).toBe(0)
  expect(countOf(meter, 'duration', '_OTHER')).toBe(500)
  meter.count(groupCalls([call({ model: 'made-up-0' })]))
  expect(countOf(meter, 'duration', 'made-up-0')).toBe(2)
})
