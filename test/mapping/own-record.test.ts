import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan } from '../../src/mapping/index.js'
import { adopt } from '../../src/mapping/adopt/index.js'
import { factsOf } from '../../src/mapping/conversion/index.js'
import { DIALECTS } from '../../src/mapping/dialects/index.js'
import { FOREIGN_TRACES, foreignRows } from '../support/foreign-traces.js'
import { liveRun } from '../support/live-calls.js'
import { planFactsOf } from '../support/plan-facts.js'
import { playLiveRun } from '../support/play-live-run.js'

/** The number of plans for each format, and the seed that repeats them. */
const { PLANSPAN_LAW_RUNS = '15', PLANSPAN_LAW_SEED = '1' } = process.env

const FORMATS = Object.values(DIALECTS)
  .filter(({ carrierIn }) => carrierIn)
  .map(({ name }) => name)

test.each(FORMATS)(
  'a plan that uses any method, recorded as %s and imported, is the same plan',
  { timeout: 600_000 },
  (format) => {
    fc.assert(
      fc.property(liveRun, (run) => {
        const live = playLiveRun(run)
        const { text, verdict } = decodeRecord(live, { format })!
        const imported = encodeRecords(Buffer.from(text)).next().value!.spans.map(toStoredSpan)
        expect(decodeRecord(imported)).toMatchObject({ text, verdict, dialect: format })
        expect(planFactsOf(imported)).toEqual(planFactsOf(live))
      }),
      { numRuns: Number(PLANSPAN_LAW_RUNS), seed: Number(PLANSPAN_LAW_SEED) },
    )
  },
)

test.each(FORMATS)(
  'the plans of other instrumentations, recorded as %s and imported, hold the same facts',
  (format) => {
    for (const { file } of FOREIGN_TRACES) {
      const rows = foreignRows(file)
      const found = decodeRecord(rows, { format })
      if (!found) continue
      const imported = encodeRecords(Buffer.from(found.text)).next().value!.spans.map(toStoredSpan)
      expect([file, factsOf(imported)]).toEqual([file, factsOf(adopt(rows))])
    }
  },
)
