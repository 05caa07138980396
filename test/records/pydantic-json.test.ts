import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { checkRecords } from '../../src/cli/records/check-records.js'
import type { DialectName } from '../../src/mapping/index.js'

/** A text of bytes, and how often it is repeated. */
type Part = readonly [text: string, count: number]

/** The verdicts of the systems' own models on JSON in a place of a document, from pydantic_json.py. */
const { values, places } = JSON.parse(readFileSync(new URL('pydantic-json.json', import.meta.url), 'utf8')) as {
  readonly values: readonly (readonly Part[])[]
  readonly places: readonly { place: string; dialect: DialectName; document: string; read: readonly number[] }[]
}

async function isValid(bytes: Uint8Array, dialect: DialectName): Promise<boolean> {
  const results: boolean[] = []
  for await (const found of checkRecords(chunk(bytes), dialect)) results.push(!('error' in found))
  return results.length > 0 && results.every(Boolean)
}

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

describe('planspan validates a document as pydantic does', () => {
  test.each(places)('with JSON as $place', async ({ dialect, document, read }) => {
    const differences: string[] = []
    for (const [index, parts] of values.entries()) {
      const value = parts.map(([text, count]) => text.repeat(count)).join('')
      const isRead = await isValid(
        Buffer.from(
          document.replace('$', () => value),
          'latin1',
        ),
        dialect,
      )
      if (isRead !== read.includes(index)) differences.push(`${JSON.stringify(parts)}: ${isRead ? 'read' : 'refused'}`)
    }
    expect(differences).toEqual([])
  })
})
