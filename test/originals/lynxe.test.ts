import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as mapping from '../../src/mapping/index.js'
import * as tracing from '../../src/tracing/index.js'
import { storedSpan } from '../support/stored-spans.js'
import { installSdk } from '../tracing/in-memory-sdk.js'

type Hook = [name: keyof tracing.LynxeRecorder, ...values: unknown[]]
/** A run’s first hook names its plan. */
type Run = readonly [[name: 'recordPlanExecutionStart', planId: string, ...values: unknown[]], ...Hook[]]
interface Answers {
  readonly details: unknown
  readonly agentExecutions: Readonly<Record<string, unknown>>
}

const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const RUNS = read('lynxe-hooks.json') as Readonly<Record<string, Run>>
const { answers: ANSWERS } = read('data/lynxe.json') as { readonly answers: Readonly<Record<string, Answers>> }

const CYCLE = String.raw`agent-execution\.thinkActSteps\.\d+\.`

/** Intended differences between planspan's and Lynxe's responses, with their reasons. */
const DIFFERENCES: readonly (readonly [path: RegExp, why: string])[] = [
  [/\.(?:id|parentExecutionId)$/, 'Lynxe’s are those of its database, planspan’s are made of the span ids.'],
  [
    /\.(?:latestMethodName|latestMethodArgs|latestRoundNumber|modelContextLimit)$/,
    'Later versions of Lynxe have them.',
  ],
  [
    new RegExp(`^${CYCLE}(?:thinkEndTime|actStartTime|actEndTime|status)$`),
    'Lynxe no longer records them; spans have them.',
  ],
  [new RegExp(`^${CYCLE}(?:inputCharCount|outputCharCount)$`), 'If the agent does not report them, planspan counts.'],
  [/^agent-execution\.(?:subPlanExecutionRecords|subPlanCount)/, 'Lynxe reads sub-plans with the whole plan only.'],
  [/^agent-execution\.currentStep$/, 'Lynxe leaves it at 0 here, whichever step it is.'],
  [/\.agentRequest$/, 'Lynxe takes a request without an agent’s name only when the agent is done.'],
  [/^details\.structureResult$/, 'Lynxe’s controller adds it, which is not asked here.'],
]

/** The paths at which two documents differ; times are considered equal. */
function differences(one: unknown, other: unknown, path: string): string[] {
  if (isTime(one) && isTime(other)) return []
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    return Object.is(one, other) ? [] : [path]
  }
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    key in one && key in other ? differences(one[key], other[key], `${path}.${key}`) : [`${path}.${key}`],
  )
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isTime = (value: unknown): boolean =>
  Array.isArray(value) && value.length >= 5 && value.length <= 7 && value.every((part) => Number.isInteger(part))

/** The differences between Lynxe's and planspan's responses after the same hooks. */
async function differencesOf(run: string): Promise<string[]> {
  const hooks = RUNS[run]!
  const sdk = installSdk({ before: (next) => new tracing.PendingSpanProcessor(next) })
  const recorder = tracing.createLynxeRecorder()
  for (const [hook, ...values] of hooks) (recorder[hook] as (...args: unknown[]) => void)(...values)
  await sdk.provider.forceFlush()
  const rows = sdk.spans().map(storedSpan)
  await sdk.provider.shutdown()
  sdk.uninstall()
  const { details, agentExecutions } = ANSWERS[run]!
  const answer = (options: mapping.DecodeOptions): unknown =>
    JSON.parse(mapping.decodeRecord(rows, options)?.text ?? 'null')
  return [
    ...differences(details, answer({ planId: hooks[0][1], form: 'lynxe-details' }), 'details'),
    ...Object.entries(agentExecutions).flatMap(([stepId, execution]) =>
      differences(execution, answer({ stepId, form: 'lynxe-agent-execution' }), 'agent-execution'),
    ),
  ]
}

describe('Lynxe’s recorder and reader, and planspan’s, after the same hooks', () => {
  test.each(Object.keys(ANSWERS))('return the same for %s', async (run) => {
    const unexplained = (await differencesOf(run)).filter((path) => !DIFFERENCES.some(([where]) => where.test(path)))
    expect(unexplained).toEqual([])
  })

  test('differ in every declared difference', async () => {
    const found: string[] = []
    for (const run of Object.keys(ANSWERS)) found.push(...(await differencesOf(run)))
    expect(DIFFERENCES.filter(([where]) => !found.some((path) => where.test(path))).map(([, why]) => why)).toEqual([])
  })
})
