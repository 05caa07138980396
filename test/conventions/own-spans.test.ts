import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { runDemoAgent } from '../../src/cli/demo/demo-agent.js'
import { ROLES, SCHEMA_URL } from '../../src/semconv/index.js'
import { liveRun } from '../support/live-calls.js'
import { spansOfLiveRun } from '../support/play-live-run.js'
import { installSdk } from '../tracing/in-memory-sdk.js'
import { liveCheck, type OtlpRequest, type OtlpSpan, spansOf } from './live-check.js'

const sent = (spans: readonly ReadableSpan[]): OtlpSpan[] =>
  spansOf(JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest([...spans]))) as OtlpRequest)

const valueOf = ({ attributes = [] }: OtlpSpan, key: string): unknown =>
  attributes.find((attribute) => attribute.key === key)?.value['stringValue']

async function demoSpans(): Promise<ReadableSpan[]> {
  const sdk = installSdk()
  try {
    await runDemoAgent()
    return sdk.spans()
  } finally {
    sdk.uninstall()
  }
}

test('the spans of the demo follow the released conventions', async () => {
  const spans = await demoSpans()
  expect(sent(spans).flatMap(liveCheck)).toEqual([])
  expect(new Set(spans.map(({ instrumentationScope }) => instrumentationScope.schemaUrl))).toEqual(
    new Set([SCHEMA_URL]),
  )
  const kinds = new Set(sent(spans).map((span) => valueOf(span, 'planspan.span.kind')))
  expect(kinds).toEqual(new Set(ROLES))
})

test('the spans of every method and option of the live API follow the released conventions', () => {
  fc.assert(
    fc.property(liveRun, (run) => {
      const findings = sent(spansOfLiveRun(run)).flatMap(liveCheck)
      // The type of the options requires the name of a tool, but JavaScript may omit it.
      expect(findings.filter((each) => each !== 'required_attribute_not_present: gen_ai.tool.name')).toEqual([])
    }),
    { numRuns: 50, seed: 1 },
  )
})

test('only tool calls look like tool calls to other readers', async () => {
  const named = sent(await demoSpans()).filter((span) => valueOf(span, 'gen_ai.tool.name') !== undefined)
  expect(new Set(named.map((span) => valueOf(span, 'openinference.span.kind')))).toEqual(new Set(['TOOL']))
})
