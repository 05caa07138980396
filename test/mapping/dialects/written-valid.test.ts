import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkRecords } from '../../../src/cli/records/check-records.js'
import { generatePlans } from '../../../src/generate/index.js'
import {
  decodeRecord,
  DIALECT_NAMES,
  encodeRecords,
  toStoredSpan,
  type DialectName,
} from '../../../src/mapping/index.js'
import type { StoredSpan } from '../../../src/semconv/index.js'
import { FOREIGN_TRACES, foreignRows } from '../../support/foreign-traces.js'
import { planLife } from '../../support/simulated-plan.js'

const directory = new URL('../../fixtures/', import.meta.url)
const SAMPLES = readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter((path) => /^(?:atif|lynxe|trajectory|review-log|plan-act|seeds)\/.*\.(?:jsonl?|sse)$/.test(path))
  .filter((path) => !path.includes('.example.'))
  .sort()

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

/** The output of planspan's own `validate` for a plan in each dialect. */
async function refusals(spans: readonly StoredSpan[], formats: readonly DialectName[] = DIALECT_NAMES) {
  const found: string[] = []
  for (const format of formats) {
    const text = decodeRecord(spans, { format })?.text ?? ''
    if (text === '') continue
    for await (const result of checkRecords(chunks(text), format)) {
      if ('error' in result) found.push(`${format}: ${result.error}`)
    }
  }
  return found
}

describe('`planspan validate` accepts planspan’s output in every dialect', () => {
  test.each(SAMPLES)('%s', async (path) => {
    for (const { spans } of encodeRecords(readFileSync(new URL(path, directory)), { source: path })) {
      expect(await refusals(spans.map(toStoredSpan))).toEqual([])
    }
  })

  test.each(FOREIGN_TRACES)('the foreign trace $file', async ({ file }) => {
    expect(await refusals(foreignRows(file))).toEqual([])
  })

  test('generated plans', async () => {
    const until = Date.UTC(2026, 2, 4)
    for (const { spans } of generatePlans({ plans: 60, days: 3, seed: 'valid', until })) {
      expect(await refusals(spans.map(toStoredSpan))).toEqual([])
    }
  })

  test('live plans at any moment', async () => {
    await fc.assert(
      fc.asyncProperty(planLife, async ({ rows, moments }) => {
        for (const { sent } of moments.slice(-2)) expect(await refusals(rows.slice(0, sent))).toEqual([])
      }),
      { numRuns: 40 },
    )
  })
})
