import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeRecord,
  encodeRecords,
  toStoredSpan,
  type DialectName,
  type EncodedRecord,
} from '../../../src/mapping/index.js'
import { ATTR, type StoredSpan } from '../../../src/semconv/index.js'
import { SERIALISATIONS, session, type DomainEvent } from '../../support/plan-act-records.js'

const encodeOne = (text: string, format: 'auto' | DialectName = 'auto'): EncodedRecord => {
  const [record, ...more] = encodeRecords(new TextEncoder().encode(text), { format })
  expect(more).toEqual([])
  return record!
}

const residuals = (record: EncodedRecord): unknown[] =>
  record.spans.flatMap((span) => span.attributes[ATTR.residual] ?? [])

const shuffled = (rows: readonly StoredSpan[]): fc.Arbitrary<StoredSpan[]> =>
  fc
    .tuple(fc.shuffledSubarray([...rows], { minLength: rows.length }), fc.shuffledSubarray([...rows]))
    .map(([all, again]) => [...all, ...again])

const sample = (file: string): string =>
  readFileSync(new URL(`../../fixtures/plan-act/${file}`, import.meta.url), 'utf8')

describe('a real record', () => {
  const indented = '{"style":{"indent":"  ","colon":" "}}'
  test.each([
    ['default-mock/redis_output_stream.jsonl', 'plan-act:events', 'redis', []],
    ['default-mock/chat.sse', 'plan-act:sse', 'manus-x', []],
    ['default-mock/get_session.json', 'plan-act:session', 'manus-x', [indented]],
    ['no-steps/redis_output_stream.jsonl', 'plan-act:events', 'redis', []],
    ['no-steps/chat.sse', 'plan-act:sse', 'manus-x', []],
    ['no-steps/get_session.json', 'plan-act:session', 'manus-x', [indented]],
  ])('%s is %s of %s and is rebuilt byte for byte, completed', (file, dialect, era, residual) => {
    const text = sample(file)
    const encoded = encodeOne(text)
    const decoded = decodeRecord(encoded.spans.map(toStoredSpan))
    expect(decoded?.text).toBe(text)
    expect({ era: encoded.era, ...decoded }).toMatchObject({ dialect, era, state: 'completed', verdict: 'complete' })
    expect(residuals(encoded)).toEqual(residual)
  })
})

describe('a canonical session', () => {
  test.each([
    ['the Redis stream', 'plan-act:events', SERIALISATIONS.redis],
    ['bare domain events', 'plan-act:events', SERIALISATIONS.domain],
    ['WebSocket frames', 'plan-act:events', SERIALISATIONS.websocket],
    ['server-sent events with pings', 'plan-act:sse', (events: readonly DomainEvent[]) => SERIALISATIONS.sse(events)],
    [
      'the server-sent events of ai-manus',
      'plan-act:sse',
      (events: readonly DomainEvent[]) => SERIALISATIONS.sse(events, { newer: true }),
    ],
    ['a session document', 'plan-act:session', (events: readonly DomainEvent[]) => SERIALISATIONS.session(events)],
    [
      'a session document of ai-manus',
      'plan-act:session',
      (events: readonly DomainEvent[]) => SERIALISATIONS.session(events, true),
    ],
  ] as const)('in %s is rebuilt byte for byte, in any order of its spans and with duplicates', (_, dialect, write) => {
    fc.assert(
      fc.property(
        session.chain((events) => {
          const text = write(events)
          const encoded = encodeOne(text)
          return fc.record({
            text: fc.constant(text),
            encoded: fc.constant(encoded),
            rows: shuffled(encoded.spans.map(toStoredSpan)),
          })
        }),
        ({ text, encoded, rows }) => {
          expect(residuals(encoded)).toEqual([])
          expect(decodeRecord(rows)).toMatchObject({ text, dialect, verdict: 'complete', missing: [] })
          const ids = new Set(encoded.spans.map(({ spanId }) => spanId))
          expect(ids.size).toBe(encoded.spans.length)
          expect(encoded.spans.every((span) => span.endTimeUnixNano >= span.startTimeUnixNano)).toBe(true)
        },
      ),
      { numRuns: 25 },
    )
  })
})
