import { create, toBinary } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'

import { EncodedTracesDataSchema } from '../../../src/otlp/trace_pb.js'
import { tracesData } from '../../../src/server/jaeger/traces-data.js'
import type { FinalSpan } from '../../../src/store/index.js'

/** The largest message that Jaeger accepts. */
const JAEGER_BYTES = 4 << 20

const span = (number: number, resourceAttributes: Record<string, string>): FinalSpan => ({
  traceId: 'a'.repeat(32),
  spanId: number.toString(16).padStart(16, '0'),
  parentSpanId: '',
  traceState: '',
  name: 'execute_tool',
  kind: 'Internal',
  serviceName: 'agent',
  scopeName: 'planspan',
  scopeVersion: '',
  startTimeUnixNano: 1n,
  endTimeUnixNano: 2n,
  statusCode: 'UNSET',
  statusMessage: '',
  resourceAttributes,
  attributes: {},
  events: [],
  links: [],
})

async function* spansOf(count: number, resourceOf: (number: number) => Record<string, string>) {
  for (let number = 1; number <= count; number++) yield [span(number, resourceOf(number))]
}

test('spans of as many processes as spans fit into messages that Jaeger accepts', async () => {
  const commandLine = 'x'.repeat(9_000)
  const sizes: number[] = []
  for await (const message of tracesData(
    spansOf(2_000, (number) => ({ 'process.pid': String(number), commandLine })),
  )) {
    sizes.push(toBinary(EncodedTracesDataSchema, create(EncodedTracesDataSchema, message)).length)
  }
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(2_000 * 9_000)
  expect(Math.max(...sizes)).toBeLessThan(JAEGER_BYTES)
})

test('many spans of one process need few messages', async () => {
  let messages = 0
  for await (const _ of tracesData(spansOf(2_000, () => ({ commandLine: 'x'.repeat(9_000) })))) messages++
  expect(messages).toBe(1)
})
