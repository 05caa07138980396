import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { checkRecords } from '../../src/cli/records/check-records.js'
import { decodeRecord, encodeRecords, toStoredSpan, type DialectName } from '../../src/mapping/index.js'

/** The verdicts of the systems' own models on values for their fields, from pydantic_lax.py. */
const { values, fields } = JSON.parse(readFileSync(new URL('pydantic-lax.json', import.meta.url), 'utf8')) as {
  readonly values: readonly string[]
  readonly fields: readonly { field: string; dialect: DialectName; document: string; taken: readonly string[] }[]
}

/** The record of a field's document with a value for `$`. */
function recordOf(dialect: DialectName, document: string, value: string): string {
  const text = document.replace('$', () => value)
  if (dialect !== 'plan-act:sse') return text
  const { 0: data } = /(?<="data": )\{.*\}(?=\}$)/s.exec(text) ?? ['']
  return `event: error\r\ndata: ${data}\r\n\r\n`
}

async function isValid(text: string, dialect: DialectName): Promise<boolean> {
  const results: boolean[] = []
  for await (const found of checkRecords(chunk(text), dialect)) results.push(!('error' in found))
  return results.length > 0 && results.every(Boolean)
}

async function* chunk(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

describe.each(fields)('a value for the $dialect field $field', ({ dialect, document, taken }) => {
  test('is valid if the system’s own model accepts it', async () => {
    const verdicts = new Map<string, boolean>()
    for (const value of values) verdicts.set(value, await isValid(recordOf(dialect, document, value), dialect))
    expect(values.filter((value) => verdicts.get(value))).toEqual(taken)
  })

  test('is rebuilt byte for byte if it is valid', () => {
    for (const value of taken) {
      const text = recordOf(dialect, document, value)
      const [record] = encodeRecords(Buffer.from(text), { format: dialect })
      expect(decodeRecord(record!.spans.map(toStoredSpan))).toMatchObject({ text, verdict: 'complete' })
    }
  })
})
