import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { readRecords } from '../../src/cli/read-records.js'

const plan = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
const indented = readFileSync(new URL('../fixtures/lynxe/doc-example-2025-03-28.json', import.meta.url), 'utf8')
const BAD = ['{"broken":', '{"a":1}', 'nonsense', '{"open":"', '}']

test('every good record of a file is read, whatever bad lines stand between them', () => {
  const good = fc.constantFrom(plan, indented.trimEnd())
  const line = fc.oneof(
    good.map((text) => ({ text, isGood: true })),
    fc.constantFrom(...BAD).map((text) => ({ text, isGood: false })),
  )
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), (lines) => {
      const results = [...readRecords(Buffer.from(lines.map(({ text }) => text).join('\n')), {})]
      const records = results.flatMap((result) => ('record' in result ? [result.record.text.trim()] : []))
      expect(records).toEqual(lines.filter(({ isGood }) => isGood).map(({ text }) => text))
    }),
    { numRuns: 60 },
  )
})

test('a bad record is told with the line where it begins', () => {
  const results = [...readRecords(Buffer.from(`${plan}\n{"a":1}\n${plan}\n`), {})]
  expect(results.map((result) => ('error' in result ? result.line : 'record'))).toEqual(['record', 2, 'record'])
})

test('an empty file has one error and no record', () => {
  expect([...readRecords(new Uint8Array(), {})]).toEqual([
    { line: 1, error: expect.objectContaining({ code: 'invalid_record' }) },
  ])
})
