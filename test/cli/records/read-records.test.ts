import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { readRecords, type RecordOrError } from '../../../src/cli/records/read-records.js'

const plan = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
const indented = readFileSync(new URL('../../fixtures/lynxe/doc-example-2025-03-28.json', import.meta.url), 'utf8')
/** The results for a text that arrives in chunks of the given number of bytes. */
async function read(text: string, pieceBytes = 1 << 16): Promise<RecordOrError[]> {
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
  }
  const results: RecordOrError[] = []
  for await (const result of readRecords(pieces(), {})) results.push(result)
  return results
}

const BAD = ['{"broken":', '{"a":1}', 'nonsense', '{"open":"']

test('every valid record of a file is read, whatever malformed lines are between them', async () => {
  const good = fc.constantFrom(plan, indented.trimEnd())
  const line = fc.oneof(
    good.map((text) => ({ text, isGood: true })),
    fc.constantFrom(...BAD).map((text) => ({ text, isGood: false })),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 5000 }),
      async (lines, pieceBytes) => {
        const results = await read(lines.map(({ text }) => text).join('\n'), pieceBytes)
        const records = results.flatMap((result) => ('record' in result ? [result.record.text.trim()] : []))
        expect(records).toEqual(lines.filter(({ isGood }) => isGood).map(({ text }) => text))
      },
    ),
    { numRuns: 60 },
  )
})

test('an invalid record is reported with the line where it begins', async () => {
  const results = await read(`${plan}\n{"a":1}\n${plan}\n`)
  expect(results.map((result) => ('error' in result ? result.line : 'record'))).toEqual(['record', 2, 'record'])
})

test('an empty file has one error and no record', async () => {
  expect(await read('')).toEqual([{ line: 1, error: expect.objectContaining({ code: 'invalid_record' }) }])
})
