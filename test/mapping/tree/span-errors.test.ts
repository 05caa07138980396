import { describe, expect, test } from 'vitest'

import { errorsOf } from '../../../src/mapping/tree/span-errors.js'
import { decodeRecord, errorTextOf, faultsOf } from '../../../src/mapping/index.js'
import { ATTR, EVENTS, UNTYPED_ERROR } from '../../../src/semconv/index.js'
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

  test.each<[string, Failed]>([
    ['thrown\nexplicit', { attributes: { ...TYPE, ...MESSAGE }, status: 'boom', exceptions: [raised('thrown')] }],
    ['first\nsecond', { attributes: TYPE, exceptions: [raised('first'), raised('second')] }],
    ['thrown', { attributes: TYPE, status: 'boom', exceptions: [raised('thrown')] }],
    ['boom', { attributes: TYPE, status: 'boom' }],
    ['TimeoutError', { attributes: TYPE }],
    ['', { attributes: { [ATTR.errorType]: UNTYPED_ERROR } }],
  ])('have the text %j in rows, the same as in the record', (message, failed) => {
    const [failure] = faultsOf(failedCall(failed)).failures
    expect(errorTextOf(failure!.node)).toBe(message)
    const record = JSON.parse(decodeRecord(failedCall(failed))!.text)
    expect(record.agentExecutionSequence[0].thinkActSteps[0].errorMessage ?? '').toBe(message)
  })

  test('include the status text beside error.type in the record', () => {
    const record = JSON.parse(decodeRecord(failedCall({ attributes: TYPE, status: 'boom' }))!.text)
    const [cycle] = record.agentExecutionSequence[0].thinkActSteps
    expect(cycle.errorMessage).toBe('boom')
    expect(cycle.planspan.errors).toEqual([{ span: 'execute_tool', type: 'TimeoutError', message: 'boom' }])
  })
})
