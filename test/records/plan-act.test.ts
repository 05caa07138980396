import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planActSessionSchema, planActStreamEntrySchema } from '../../src/records/index.js'
import { SERIALISATIONS, session } from '../support/plan-act-records.js'

const fixture = (file: string): string => readFileSync(new URL(`../fixtures/plan-act/${file}`, import.meta.url), 'utf8')
const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

describe('the schemas of ManusX', () => {
  test.each(['default-mock', 'no-steps'])('accept the real %s', (run) => {
    for (const entry of linesOf(fixture(`${run}/redis_output_stream.jsonl`))) {
      expect(planActStreamEntrySchema.parse(entry)).toEqual(entry)
    }
    const answer: unknown = JSON.parse(fixture(`${run}/get_session.json`))
    expect(planActSessionSchema.parse(answer)).toEqual(answer)
  })

  test('accept every session that the system can write', () => {
    fc.assert(
      fc.property(session, (events) => {
        for (const entry of linesOf(SERIALISATIONS.redis(events))) planActStreamEntrySchema.parse(entry)
        const answer: unknown = JSON.parse(SERIALISATIONS.session(events, true))
        expect(planActSessionSchema.parse(answer)).toEqual(answer)
      }),
      { numRuns: 50 },
    )
  })

  test.each([
    ['without an id', { id: '1-0', data: { type: 'done', timestamp: '2026-11-22T00:00:56' } }],
    ['of a title without one', { id: '1-0', data: { type: 'title', id: 'u', timestamp: '2026-11-22T00:00:56' } }],
  ])('reject an event %s', (_, entry) => {
    expect(planActStreamEntrySchema.safeParse(entry).success).toBe(false)
  })
})
