import { readdirSync, readFileSync } from 'node:fs'
import { LIVE_PLANS } from './live-plans.mjs'
import { installTickingSdk } from './ticking-sdk.mjs'

/**
 * @typedef {typeof import('../../src/mapping/index.js')} Mapping
 * @typedef {typeof import('../../src/generate/index.js')} Generate
 * @typedef {typeof import('../../src/tracing/index.js')} Tracing
 * @typedef {import('../../src/semconv/index.js').StoredSpan} StoredSpan
 * @typedef {import('../../src/mapping/index.js').DialectName} DialectName
 * @typedef {{ source: string, dialect: DialectName, text: string }} WrittenDocument
 */

/** The dialects whose own system can validate a document. */
const DIALECTS = /** @type {const} */ ([
  'trajectory',
  'trajectory:traj',
  'review-log',
  'plan-act:events',
  'plan-act:sse',
  'plan-act:session',
])

const FIXTURES = new URL('../fixtures/', import.meta.url)

/**
 * Yields planspan's documents for the systems: live plans, the samples of all systems and generated plans, each in
 * every dialect with values for it, except that a sample's own dialect would only return its bytes. The result is the
 * same on every day and machine.
 *
 * @param {{ mapping: Mapping, generate: Generate, tracing: Tracing }} planspan
 * @returns {AsyncGenerator<WrittenDocument>}
 */
export async function* writtenDocuments(planspan) {
  for await (const { source, spans, from } of plansOf(planspan)) {
    for (const dialect of DIALECTS) {
      if (dialect === from) continue
      const text = planspan.mapping.decodeRecord(spans, { format: dialect })?.text ?? ''
      if (text !== '') yield { source, dialect, text }
    }
  }
}

/**
 * @param {{ mapping: Mapping, generate: Generate, tracing: Tracing }} planspan
 * @returns {AsyncGenerator<{ source: string, spans: readonly StoredSpan[], from?: string }>}
 */
async function* plansOf({ mapping, generate, tracing }) {
  for (const [name, run] of Object.entries(LIVE_PLANS)) {
    const { rows, uninstall } = installTickingSdk(tracing, mapping)
    try {
      await run(tracing)
    } finally {
      uninstall()
    }
    yield { source: `live: ${name}`, spans: rows }
  }
  for (const path of samples()) {
    let record = 0
    const encoded = mapping.encodeRecords(readFileSync(new URL(path, FIXTURES)), { source: path, timeZone: 'UTC' })
    for (const { spans, dialect } of encoded) {
      yield { source: `${path} ${++record}`, spans: spans.map(mapping.toStoredSpan), from: dialect }
    }
  }
  let plan = 0
  for (const { spans } of generate.generatePlans({
    plans: 24,
    days: 1,
    seed: 'originals',
    until: Date.UTC(2026, 2, 4),
  })) {
    yield { source: `generated ${++plan}`, spans: spans.map(mapping.toStoredSpan) }
  }
}

const samples = () =>
  readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:lynxe|trajectory|review-log|plan-act|seeds)\/.*\.(?:jsonl?|sse)$/.test(path))
    .filter((path) => !path.includes('.example.'))
    .sort()
