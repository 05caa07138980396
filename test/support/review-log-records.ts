import fc from 'fast-check'

/** JSON text as Python's json.dumps(…, ensure_ascii=False) joins it. */
const object = (members: Readonly<Record<string, string>>): string =>
  `{${Object.entries(members)
    .map(([key, value]) => `"${key}": ${value}`)
    .join(', ')}}`
const array = (items: readonly string[]): string => `[${items.join(', ')}]`

const text = fc.oneof(
  fc.constantFrom('', 'step-1', '调研', 'a "quoted"\nline', '\u0001\u007F', '😀'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const string = text.map((value) => JSON.stringify(value))
const orNull = (value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: value, weight: 3 }, fc.constant('null'))
const count = fc.nat(100_000).map(String)
const limit = fc.integer({ min: 1, max: 50 }).map(String)
/** Floats as Python prints them. */
const float = fc.oneof(
  fc.constantFrom('0.0', '75.0', '0.1', '0.8500000000000001', '1e-05', '1.5e+16', '1234567890123456.0', '0.0001'),
  fc.nat(1_000_000).map((value) => (value % 100 === 0 ? `${value / 100}.0` : String(value / 100))),
)
const list = (item: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.array(item, { maxLength: 3 }).map(array)
const record = (members: Readonly<Record<string, fc.Arbitrary<string>>>): fc.Arbitrary<string> =>
  fc.record(members).map((values) => object(values as Record<string, string>))
const word = (...words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words.map((each) => `"${each}"`))

const note = record({
  source: fc.constant('"https://example.org/a"'),
  claim: string,
  evidence: orNull(string),
  confidence: orNull(fc.constantFrom('0.0', '0.8500000000000001', '1e-05', '1.0')),
  todo: orNull(string),
})
const step = record({
  id: fc.nat(20).map((index) => `"step-${index}"`),
  title: string,
  step_type: word('RESEARCH', 'PROCESS', 'SYNTHESIZE', 'REVIEW'),
  expected_outcome: string,
  status: word('PENDING', 'IN_PROGRESS', 'COMPLETED', 'BLOCKED'),
  notes: list(note),
  references: list(string),
  execution_result: orNull(string),
})
const plan = record({
  topic: string,
  goal: string,
  steps: list(step),
  assumptions: list(string),
  risks: list(string),
  metadata: record({
    locale: orNull(string),
    reviewer: orNull(string),
    budget_tokens: orNull(count),
    budget_cost_usd: orNull(float),
  }),
})
const review = record({
  attempt: fc.integer({ min: 1, max: 9 }).map(String),
  action: word('ACCEPT_PLAN', 'REQUEST_CHANGES', 'ABORT'),
  feedback: string,
})
const timestamp = fc
  .tuple(fc.date({ min: new Date('2024-01-01'), max: new Date('2027-01-01'), noInvalidDate: true }), fc.nat(999_999))
  .map(([date, micros]) => {
    const seconds = date.toISOString().slice(0, 19)
    return `"${seconds}${micros === 0 ? '' : `.${String(micros).padStart(6, '0')}`}"`
  })

const call = { step_id: string, query: string, note_count: count, duration_seconds: orNull(float) }
const counted = { ...call, result_count: orNull(count) }
const degraded = {
  ...counted,
  applied_max_results: orNull(limit),
  applied_max_notes: orNull(limit),
  degradation_mode: orNull(string),
}
const totals = { total_calls: count, total_notes: count, total_duration_seconds: orNull(float) }
const RESEARCHERS = {
  2: record({ ...totals, calls: list(record(call)) }),
  3: record({ ...totals, total_results: orNull(count), calls: list(record(counted)) }),
  4: record({
    ...totals,
    total_results: orNull(count),
    degradation_modes: list(string),
    calls: list(record(degraded)),
  }),
}
const run = {
  timestamp,
  question: string,
  locale: word('zh-CN', 'en'),
  context: string,
  plan,
  review_log: list(review),
}
const reported = (researcher: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  record({ ...run, telemetry: record({ researcher }) })

/** Planner runs as each version of the schema writes them, one per line. */
export const plannerRuns: Readonly<Record<'1' | '2' | '3' | '4' | 'without telemetry', fc.Arbitrary<string>>> = {
  1: record(run).map(line),
  2: reported(RESEARCHERS[2]).map(line),
  3: reported(RESEARCHERS[3]).map(line),
  4: reported(RESEARCHERS[4]).map(line),
  'without telemetry': record({ ...run, telemetry: fc.constant('null') }).map(line),
}

function line(json: string): string {
  return `${json}\n`
}
