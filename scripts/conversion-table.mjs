// Measures which kinds of facts each dialect holds, and writes the table of docs/dialects.md.

/**
 * @typedef {typeof import('../src/mapping/index.js')} Mapping
 * @typedef {import('../src/semconv/index.js').StoredSpan} StoredSpan
 *
 * @typedef {object} Tools
 * @property {Mapping} mapping
 * @property {Pick<typeof import('../src/mapping/conversion/index.js'), 'FACT_KINDS' | 'factsOf'>} conversion
 * @property {Pick<typeof import('../src/semconv/index.js'), 'ATTR' | 'EVENTS'>} semconv
 * @property {typeof import('../src/generate/index.js').generatePlans} generatePlans
 */

const UNTIL = Date.UTC(2026, 5, 1)
const PLANS = { plans: 60, days: 30, seed: 'conversions', until: UNTIL }

/** Messages are the only facts that generated plans lack. @param {Tools} tools */
function planWithMessage({ mapping: { assembleSpans, draft }, semconv: { ATTR, EVENTS } }) {
  const attributes = { [ATTR.messageRole]: 'user', [ATTR.messageContent]: 'And by train.' }
  const start = BigInt(UNTIL) * 1_000_000n
  const plan = draft('plan', {}, { every: {}, start, events: [{ name: EVENTS.message, attributes }], children: [] })
  return assembleSpans(plan, { traceId: '1'.repeat(32), planId: 'p', rootPlanId: 'p', rootAttributes: {} })
}

/**
 * Returns the table of the kinds of facts that each dialect holds, in Markdown. Plans of all systems are converted to
 * all dialects and read back.
 *
 * @param {Tools} tools
 */
export function conversionTable(tools) {
  const { mapping, conversion, generatePlans } = tools
  const { decodeRecord, encodeRecords, toStoredSpan, DIALECT_NAMES } = mapping
  const { factsOf, FACT_KINDS } = conversion
  /** @type {Map<string, { of: number, lost: number }>} */
  const sums = new Map()
  for (const spans of [planWithMessage(tools), ...[...generatePlans(PLANS)].map((plan) => plan.spans)]) {
    const rows = spans.map(toStoredSpan)
    for (const format of DIALECT_NAMES) {
      const text = decodeRecord(rows, { format })?.text ?? ''
      const records = text === '' ? [] : [...encodeRecords(new TextEncoder().encode(text), { format })]
      const held = factsOf(records.flatMap((record) => record.spans.map(toStoredSpan)))
      for (const [kind, count] of factsOf(rows)) {
        const { of, lost } = sums.get(`${kind} ${format}`) ?? { of: 0, lost: 0 }
        sums.set(`${kind} ${format}`, { of: of + count, lost: lost + Math.max(0, count - (held.get(kind) ?? 0)) })
      }
    }
  }
  return [
    row(['', ...DIALECT_NAMES.map((name) => `\`${name}\``)]),
    row(['---', ...DIALECT_NAMES.map(() => '---')]),
    ...Object.keys(FACT_KINDS).map((kind) =>
      row([kind, ...DIALECT_NAMES.map((name) => cell(sums.get(`${kind} ${name}`)))]),
    ),
  ].join('\n')
}

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.join(' | ')} |`

/** @param {{ of: number, lost: number } | undefined} sum */
const cell = (sum) => (!sum || sum.of === 0 ? '' : sum.lost === 0 ? 'all' : sum.lost === sum.of ? '–' : 'some')
