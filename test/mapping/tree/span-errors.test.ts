import { fromBinary } from '@bufbuild/protobuf'
import { describe, expect, test } from 'vitest'

import { errorsOf } from '../../../src/mapping/tree/span-errors.js'
import { spanRow } from '../../../src/indexer/rows/span-row.js'
import { decodeRecord, faultsOf, traceFacts, treeSpans } from '../../../src/mapping/index.js'
import { SpanSchema } from '../../../src/otlp/trace_pb.js'
import { ATTR, EVENTS, type StoredSpan, UNTYPED_ERROR } from '../../../src/semconv/index.js'
import { encodeSpan } from '../../../src/server/jaeger/encode-span.js'
import { toFaultsJson } from '../../../src/server/json/faults-json.js'
import { toSpanJson } from '../../../src/server/json/tree-span-json.js'
import { PlanLife } from '../../support/plan-life.js'

interface Failed {
  readonly attributes?: Readonly<Record<string, string>>
  readonly status?: string
  readonly exceptions?: readonly Readonly<Record<string, string>>[]
}

/** A plan whose only tool call failed. */
function failedCall({ attributes = {}, status = '', exceptions = [] }: Failed) {
  const life = new PlanLife({ traceId: 'a'.repeat(32), planId: 'plan-1' })
  life.start('plan', 'plan')
  life.start('agent', 'agent', 'plan')
  life.start('cycle', 'think_act', 'agent')
  life.start('tool', 'tool', 'cycle', { [ATTR.toolName]: 'browse' })
  life.end('tool', attributes, 'ERROR')
  for (const name of ['cycle', 'agent', 'plan']) life.end(name)
  return life.stored.map((row) =>
    row.statusCode === 'ERROR'
      ? {
          ...row,
          statusMessage: status,
          events: exceptions.map((attributes) => ({ name: EVENTS.exception, timeUnixNano: 1n, attributes })),
        }
      : row,
  )
}

const TYPE = { [ATTR.errorType]: 'TimeoutError' }
const MESSAGE = { [ATTR.errorMessage]: 'explicit' }
const raised = (message?: string, type?: string) => ({
  ...(message !== undefined && { [ATTR.exceptionMessage]: message }),
  ...(type !== undefined && { [ATTR.exceptionType]: type }),
})

describe('the errors of a span', () => {
  test.each<[string, Failed, (readonly [type: string | undefined, message: string | undefined])[]]>([
    ['an error.type and a status text', { attributes: TYPE, status: 'boom' }, [['TimeoutError', 'boom']]],
    ['a status text alone', { status: 'boom' }, [[undefined, 'boom']]],
    ['an error.type alone', { attributes: TYPE }, [['TimeoutError', undefined]]],
    [
      'an explicit message before a status text',
      { attributes: { ...TYPE, ...MESSAGE }, status: 'boom' },
      [['TimeoutError', 'explicit']],
    ],
    [
      'the message of an exception before a status text',
      { attributes: TYPE, status: 'boom', exceptions: [raised('thrown', 'TimeoutError')] },
      [['TimeoutError', 'thrown']],
    ],
    [
      'the class from error.type if an exception has none',
      { attributes: TYPE, exceptions: [raised('thrown')] },
      [['TimeoutError', 'thrown']],
    ],
    [
      'the status text if an exception has no message',
      { status: 'boom', exceptions: [raised(undefined, 'TimeoutError')] },
      [['TimeoutError', 'boom']],
    ],
    [
      'each exception',
      { attributes: TYPE, status: 'boom', exceptions: [raised('first', 'OSError'), raised('second')] },
      [
        ['OSError', 'first'],
        ['TimeoutError', 'second'],
      ],
    ],
    [
      'each exception that has only a class',
      { exceptions: [raised('', 'OSError'), raised('', 'TimeoutError')] },
      [
        ['OSError', undefined],
        ['TimeoutError', undefined],
      ],
    ],
    [
      'an explicit message beside the exceptions',
      { attributes: { ...TYPE, ...MESSAGE }, exceptions: [raised('thrown', 'OSError')] },
      [
        ['OSError', 'thrown'],
        ['TimeoutError', 'explicit'],
      ],
    ],
  ])('are %s', (_what, failed, expected) => {
    const [failure] = faultsOf(failedCall(failed)).failures
    expect(errorsOf(failure!.node).map(({ type, message }) => [type, message])).toEqual(expected)
  })

  test('include the status text beside error.type in the record', () => {
    const record = JSON.parse(decodeRecord(failedCall({ attributes: TYPE, status: 'boom' }))!.text)
    const [cycle] = record.agentExecutionSequence[0].thinkActSteps
    expect(cycle.errorMessage).toBe('boom')
    expect(cycle.planspan.errors).toEqual([{ span: 'execute_tool', type: 'TimeoutError', message: 'boom' }])
  })
})

/** Another instrumentation's agent whose only tool call failed, as OpenTelemetry's libraries write it. */
const foreign = (rows: readonly StoredSpan[]): StoredSpan[] =>
  rows
    .filter(({ attributes }) => attributes[ATTR.spanState] === undefined)
    .map((row) => ({ ...row, attributes: foreignAttributes(row) }))

function foreignAttributes({ attributes }: StoredSpan): Record<string, string> {
  const operations: Readonly<Record<string, string>> = {
    plan: 'invoke_workflow',
    agent: 'invoke_agent',
    think_act: 'agent_step',
    tool: 'execute_tool',
  }
  const own = Object.entries(attributes).filter(([key]) => !key.startsWith('planspan.') || key === ATTR.errorMessage)
  const operation = operations[attributes[ATTR.spanKind] ?? ''] ?? ''
  return { ...Object.fromEntries(own), 'gen_ai.operation.name': operation, 'gen_ai.agent.name': 'A' }
}

describe.each([
  ['planspan’s own spans', (rows: readonly StoredSpan[]) => [...rows]],
  ['spans of another instrumentation', foreign],
])('every reader finds the same text in %s', (_whose, written) => {
  test.each<[string, Failed]>([
    ['thrown\nexplicit', { attributes: { ...TYPE, ...MESSAGE }, status: 'boom', exceptions: [raised('thrown')] }],
    ['first\nsecond', { attributes: TYPE, exceptions: [raised('first'), raised('second')] }],
    ['thrown', { attributes: TYPE, status: 'boom', exceptions: [raised('thrown')] }],
    ['boom', { attributes: TYPE, status: 'boom' }],
    ['boom', { status: 'boom' }],
    ['TimeoutError', { attributes: TYPE }],
    ['', { attributes: { [ATTR.errorType]: UNTYPED_ERROR } }],
  ])('%j of %j', (text, failed) => {
    const rows = written(failedCall(failed))
    const facts = traceFacts(rows, () => undefined)
    const tool = facts.spans.find(({ node }) => node.role === 'tool')!
    const shown = treeSpans(rows).find(({ spanId }) => spanId === tool.node.span.spanId)!
    const [cycle] = JSON.parse(decodeRecord(rows)!.text).agentExecutionSequence[0].thinkActSteps
    const { failures } = toFaultsJson(shown.traceId, faultsOf(rows), { limit: 10, offset: 0 })
    const final = { ...shown, traceState: '', scopeVersion: '' }
    expect({
      record: cycle.errorMessage ?? '',
      row: spanRow(tool, ROW).Error,
      list: text.split('\n').every((line) => facts.plans[0]!.contents.errorText.includes(line)),
      faults: failures.items[0]?.message ?? '',
      span: toSpanJson(shown).error?.text ?? '',
      jaeger: fromBinary(SpanSchema, encodeSpan(final)).status?.message,
    }).toEqual({
      record: text,
      row: text,
      list: true,
      faults: text,
      span: text,
      jaeger: failed.status || text,
    })
  })
})

const ROW = { interruptedAt: undefined, isReplacement: false, attributes: {} }
