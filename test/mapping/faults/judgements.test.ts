import { describe, expect, test } from 'vitest'

import { planRow } from '../../../src/indexer/rows/plan-row.js'
import { spanRow } from '../../../src/indexer/rows/span-row.js'
import { DIALECTS } from '../../../src/mapping/dialects/index.js'
import {
  decodeRecord,
  encodeRecords,
  faultsOf,
  toStoredSpan,
  traceFacts,
  treeSpans,
} from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { toStructureJson } from '../../../src/server/json/structure-json.js'

const TRACE = 'b'.repeat(32)

type Attributes = Readonly<Record<string, string>>

/** A span below another one, from a millisecond to another one, with attributes. */
type Row = readonly [id: string, parent: string, from: number, to: number, attributes: Attributes]

const idOf = (name: string): string => Buffer.from(name).toString('hex').padStart(16, '0').slice(-16)

const stored = (rows: readonly Row[]): StoredSpan[] =>
  rows.map(([id, parent, from, to, attributes]) => ({
    traceId: TRACE,
    spanId: idOf(id),
    parentSpanId: parent && idOf(parent),
    name: id,
    kind: 'Internal',
    startTimeUnixNano: BigInt(from) * 1_000_000n,
    endTimeUnixNano: BigInt(to) * 1_000_000n,
    statusCode: 'UNSET',
    statusMessage: '',
    attributes,
    events: [],
    links: [],
    serviceName: 'agents',
    scopeName: '',
    resourceAttributes: {},
  }))

const inference = (kind: string, more: Attributes = {}): Attributes => ({ 'openinference.span.kind': kind, ...more })
const output = (value: object): Attributes => ({ 'output.value': JSON.stringify(value) })
const UNSAFE = output({ risk_score: 0.9, is_safe: false })

/** Another instrumentation's agent, whose model asks for a tool after a guardrail. */
const guarded = (guardrail: Attributes): Row[] => [
  ['agent', '', 0, 100, inference('AGENT')],
  ['model', 'agent', 1, 2, inference('LLM')],
  ['guard', 'agent', 3, 4, guardrail],
  ['tool', 'agent', 5, 6, inference('TOOL', { 'tool.name': 'pay' })],
]

const own = (role: string, more: Attributes = {}): Attributes => ({
  [ATTR.spanKind]: role,
  [ATTR.planId]: 'plan-1',
  [ATTR.planRootId]: 'plan-1',
  ...more,
})
const action = (name: string, data?: object): Attributes => ({
  [ATTR.toolName]: name,
  ...(data && { [ATTR.toolCallArguments]: JSON.stringify(data) }),
})
const proposal = (name: string, data?: object): Attributes => ({
  [ATTR.riskActionName]: name,
  ...(data && { [ATTR.riskActionArguments]: JSON.stringify(data) }),
})
const judged = (isSafe: boolean, more: Attributes = {}): Attributes =>
  own('guardrail', { [ATTR.guardrailName]: 'safety', [ATTR.riskIsSafe]: String(isSafe), ...more })

/** A plan of planspan's own whose cycle contains spans, one after the other. */
const inCycle = (...spans: readonly Attributes[]): Row[] => [
  ['plan', '', 0, 100, own('plan')],
  ['agent', 'plan', 0, 99, own('agent')],
  ['cycle', 'agent', 0, 98, own('think_act')],
  ...spans.map((attributes, at): Row => [`s${at}`, 'cycle', at + 1, at + 2, attributes]),
]

const pay = (data?: object): Attributes => own('tool', action('pay', data))

/** The finding of each guardrail in order: whether it is safe, its score, whether the action was taken, its tool. */
type Finding = readonly [
  isSafe: boolean | undefined,
  score: number | undefined,
  taken: boolean | undefined,
  tool: string,
]

const CASES: Readonly<Record<string, readonly [rows: readonly Row[], findings: readonly Finding[]]>> = {
  'OpenInference, unsafe, before the call': [guarded(inference('GUARDRAIL', UNSAFE)), [[false, 0.9, true, 'pay']]],
  'OpenInference, unsafe, before the call of an agent without a model': [
    guarded(inference('GUARDRAIL', UNSAFE)).filter(([id]) => id !== 'model'),
    [[false, 0.9, true, 'pay']],
  ],
  'OpenInference, unsafe, around the call': [
    guarded(inference('GUARDRAIL', UNSAFE)).map((row) => (row[0] === 'tool' ? row.with(1, 'guard') : row) as Row),
    [[false, 0.9, true, 'pay']],
  ],
  'OpenInference, unsafe, below the model call': [
    guarded(inference('GUARDRAIL', UNSAFE)).map((row) => (row[0] === 'guard' ? row.with(1, 'model') : row) as Row),
    [[false, 0.9, true, 'pay']],
  ],
  'OpenInference, unsafe, inside of the call': [
    guarded(inference('GUARDRAIL', UNSAFE)).map(
      (row) => (row[0] === 'guard' ? ['guard', 'tool', 5, 6, row[4]] : row) as Row,
    ),
    [[false, 0.9, undefined, 'pay']],
  ],
  'OpenInference, flagged in a word, with a score in its metadata': [
    guarded(inference('GUARDRAIL', { 'output.value': 'flagged', metadata: '{"score":0.9}' })),
    [[false, 0.9, true, 'pay']],
  ],
  'a classifier that is certain of safety': [
    guarded(inference('GUARDRAIL', output({ label: 'safe', score: 0.98 }))),
    [[true, undefined, true, 'pay']],
  ],
  'OpenAI Agents, triggered': [
    guarded(inference('GUARDRAIL', { 'guardrail.triggered': 'true' })),
    [[false, undefined, false, '']],
  ],
  'OpenAI Agents, not triggered': [
    guarded(inference('GUARDRAIL', { 'guardrail.triggered': 'false' })),
    [[true, undefined, true, 'pay']],
  ],
  'OpenAI Agents through Logfire, triggered': [
    guarded({ 'logfire.msg_template': 'Guardrail {name!r} {triggered=}', name: 'safety', triggered: 'true' }),
    [[false, undefined, false, '']],
  ],
  'Bedrock, intervened': [
    guarded(inference('GUARDRAIL', output({ action: 'GUARDRAIL_INTERVENED', score: 0.7 }))),
    [[false, 0.7, false, '']],
  ],
  'Bedrock, not intervened': [
    guarded(inference('GUARDRAIL', { metadata: '{"action":"NONE"}' })),
    [[true, undefined, true, 'pay']],
  ],
  'a security decision to deny': [
    guarded({
      'gen_ai.operation.name': 'apply_guardrail',
      'microsoft.security.decision.type': 'deny',
      'microsoft.security.risk.score': '0.95',
    }),
    [[false, 0.95, false, '']],
  ],
  'a security decision to allow': [
    guarded({ 'gen_ai.operation.name': 'apply_guardrail', 'gen_ai.security.decision.type': 'allow' }),
    [[true, undefined, true, 'pay']],
  ],
  'an evaluation as attributes': [
    guarded({
      'gen_ai.operation.name': 'run_guardrail',
      [ATTR.evaluationName]: 'toxicity',
      [ATTR.evaluationScoreLabel]: 'unsafe',
      [ATTR.evaluationScoreValue]: '0.8',
    }),
    [[false, 0.8, true, 'pay']],
  ],
  'Langfuse, blocked': [
    guarded({ 'langfuse.observation.type': 'guardrail', 'langfuse.observation.output': '{"blocked":true}' }),
    [[false, undefined, false, '']],
  ],
  'an evaluator of quality': [guarded(inference('EVALUATOR', output({ label: 'fail', score: 0.2 }))), []],
  'a guardrail without a finding': [guarded(inference('GUARDRAIL', { 'output.value': 'checked' })), []],
  'planspan’s own keys on a foreign guardrail': [
    guarded(inference('GUARDRAIL', { [ATTR.riskScore]: '0.9', [ATTR.riskIsSafe]: 'false' })),
    [[false, 0.9, true, 'pay']],
  ],
  'a score without a verdict': [
    inCycle(own('guardrail', { [ATTR.riskScore]: '0.9' }), pay()),
    [[undefined, 0.9, true, 'pay']],
  ],
  'no call after it': [inCycle(judged(false)), [[false, undefined, false, '']]],
  'a named call that was not made': [
    inCycle(judged(false, proposal('pay')), own('tool', action('search'))),
    [[false, undefined, false, 'pay']],
  ],
  'two judgements, each before its call': [
    inCycle(judged(false), pay(), judged(true), own('tool', action('search'))),
    [
      [false, undefined, true, 'pay'],
      [true, undefined, true, 'search'],
    ],
  ],
  'two judgements before two calls': [
    inCycle(judged(false), judged(true), pay(), own('tool', action('search'))),
    [
      [false, undefined, true, 'pay'],
      [true, undefined, true, 'search'],
    ],
  ],
  'two judgements before one call': [
    inCycle(judged(false), judged(true), pay()),
    [
      [false, undefined, undefined, ''],
      [true, undefined, undefined, ''],
    ],
  ],
  'two guardrails before one call': [
    inCycle(judged(false), judged(true, { [ATTR.guardrailName]: 'privacy' }), pay()),
    [
      [false, undefined, true, 'pay'],
      [true, undefined, true, 'pay'],
    ],
  ],
  'a call with other arguments, as another judgement demands': [
    inCycle(judged(false, proposal('pay', { usd: 100 })), judged(true, proposal('pay', { usd: 1 })), pay({ usd: 1 })),
    [
      [false, undefined, false, 'pay'],
      [true, undefined, true, 'pay'],
    ],
  ],
  'a call with other arguments': [
    inCycle(judged(false, proposal('pay', { usd: 100 })), pay({ usd: 1 })),
    [[false, undefined, undefined, 'pay']],
  ],
  'a call with the same arguments in another order': [
    inCycle(judged(false, proposal('pay', { usd: 1, to: 'x' })), pay({ to: 'x', usd: 1 })),
    [[false, undefined, true, 'pay']],
  ],
  'a call whose arguments are not recorded': [
    inCycle(judged(false, proposal('pay', { usd: 100 })), pay()),
    [[false, undefined, true, 'pay']],
  ],
}

/** The formats whose records carry what they have no key for. */
const CARRIED = Object.values(DIALECTS).flatMap(({ carrierIn, name }) => (carrierIn ? [name] : []))

describe.each(Object.entries(CASES))('%s', (_name, [rows, findings]) => {
  const facts = traceFacts(stored(rows), () => undefined)
  const unsafe = findings.filter(([isSafe]) => isSafe === false)

  test('is read from the record', () => {
    const record = JSON.parse(decodeRecord(stored(rows))!.text) as object
    expect(assessmentsIn(record)).toEqual(findings.map(([isSafe, score, taken]) => [isSafe, score, taken]))
  })

  const risks = findings.map(([isSafe, score, taken, tool]) => [
    textOf(isSafe),
    textOf(score),
    isSafe === false,
    taken ?? null,
    tool,
  ])

  test('is a row of the view of risks', () => expect(risksIn(stored(rows))).toEqual(risks))

  test.each(CARRIED)('is the same row after its record is imported as %s', (format) => {
    const { text } = decodeRecord(stored(rows), { format })!
    const imported = [...encodeRecords(Buffer.from(text), { format })].flatMap(({ spans }) => spans.map(toStoredSpan))
    expect(risksIn(imported)).toEqual(risks)
  })

  test('counts in the list', () => {
    const [plan] = facts.plans.map((one) => planRow(one, { isSuperseded: false }))
    const scores = findings.flatMap(([, score]) => score ?? [])
    expect(plan).toMatchObject({
      Risk: scores.length === 0 ? null : Math.max(...scores),
      Judged: findings.length,
      Unsafe: unsafe.length,
      UnsafeTaken: unsafe.filter(([, , taken]) => taken === true).length,
      UnsafeStopped: unsafe.filter(([, , taken]) => taken === false).length,
    })
  })

  test('is a fault if it is unsafe', () => {
    const found = faultsOf(stored(rows)).actions.map(({ taken }) => String(taken))
    expect(found.sort()).toEqual(unsafe.map(([, , taken]) => String(taken)).sort())
  })

  test('is shown in the page', () => {
    const judgements = treeSpans(stored(rows)).filter(({ attributes }) => attributes[ATTR.toolName] === undefined)
    const { spans } = toStructureJson(TRACE, judgements)
    expect(spans.flatMap((span) => span.find((value) => WORDS.has(value as string)) ?? [])).toEqual(
      findings.flatMap(([isSafe, , taken]) =>
        isSafe === undefined ? [] : isSafe ? 'safe' : taken === undefined ? 'unsafe' : taken ? 'taken' : 'stopped',
      ),
    )
  })
})

/** Returns what the rows of risks of some spans state, in order. */
const risksIn = (rows: readonly StoredSpan[]): unknown[] =>
  traceFacts(rows, () => undefined)
    .spans.map((placed) =>
      spanRow(placed, { interruptedAt: undefined, isReplacement: false, attributes: placed.node.span.attributes }),
    )
    .filter(({ IsJudgement }) => IsJudgement)
    .sort((a, b) => (a.Timestamp < b.Timestamp ? -1 : 1))
    .map(({ SpanAttributes, Unsafe, Taken, JudgedTool }) => [
      SpanAttributes[ATTR.riskIsSafe],
      SpanAttributes[ATTR.riskScore],
      Unsafe,
      Taken,
      JudgedTool,
    ])

const WORDS: ReadonlySet<string> = new Set(['safe', 'unsafe', 'taken', 'stopped'])

const textOf = (value: boolean | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value)

/** Returns the assessments of a record, in order. */
function assessmentsIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(assessmentsIn)
  if (typeof value !== 'object' || value === null) return []
  if ('assessments' in value && Array.isArray(value.assessments)) {
    const all = value.assessments as { isSafe?: boolean; score?: number; actionTaken?: boolean }[]
    return all.map(({ isSafe, score, actionTaken }) => [isSafe, score, actionTaken])
  }
  return Object.values(value).flatMap(assessmentsIn)
}
