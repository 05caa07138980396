// CPU of live plans as records that planspan writes itself, in each format, beside the facts that the indexer decides.
// npm run build && node bench/own-records/run.mjs [--plans 400] [--rounds 3] [--dist ../../dist]
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    plans: { type: 'string', default: '400' },
    rounds: { type: 'string', default: '3' },
    // Another build, to be compared.
    dist: { type: 'string', default: '../../dist' },
  },
})
const built = new URL(`${values.dist}/`, import.meta.url)
const { generatePlans } = await import(new URL('generate/index.js', built))
const { decodeRecord, DIALECT_NAMES, toStoredSpan, traceFacts } = await import(new URL('mapping/index.js', built))
const { ATTR } = await import(new URL('semconv/index.js', built))

const generated = generatePlans({ plans: Number(values.plans), days: 3, seed: 'own', until: Date.UTC(2026, 5, 1) })
const live = [...generated]
  .map(({ spans }) => spans.map(toStoredSpan))
  .filter((rows) => !rows.some(({ attributes }) => ATTR.recordDialect in attributes))
const spans = live.flat().length

/** Returns the CPU of some work on each plan in µs per span, after a warm-up. */
function cost(work) {
  for (const rows of live) work(rows)
  const begun = process.cpuUsage()
  for (let round = 0; round < Number(values.rounds); round++) for (const rows of live) work(rows)
  const { user, system } = process.cpuUsage(begun)
  return ((user + system) / Number(values.rounds) / spans).toFixed(0)
}

console.log(`${live.length} live plans of ${spans} spans; µs of CPU per span`)
console.table([
  { what: 'facts of the indexer', 'µs a span': cost((rows) => traceFacts(rows, () => undefined)), 'bytes a span': '' },
  ...DIALECT_NAMES.map((format) => ({
    what: `record as ${format}`,
    'µs a span': cost((rows) => decodeRecord(rows, { format })),
    'bytes a span': Math.round(
      live.reduce((sum, rows) => sum + Buffer.byteLength(decodeRecord(rows, { format }).text), 0) / spans,
    ),
  })),
])
