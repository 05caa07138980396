import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as generate from '../../src/generate/index.js'
import * as mapping from '../../src/mapping/index.js'
import * as tracing from '../../src/tracing/index.js'
import { digestOf } from './digest.mjs'
import { writtenDocuments } from './documents.mjs'
import { SYSTEMS } from './systems.mjs'

type BySource = Readonly<Record<string, Readonly<Record<string, string>>>>
interface Verdicts {
  readonly origin: { readonly systems: Readonly<Record<string, object>> }
  readonly documents: BySource
  readonly refusals: BySource
}

const { origin, documents, refusals } = JSON.parse(
  readFileSync(new URL('data/verdicts.json', import.meta.url), 'utf8'),
) as Verdicts

const ASK_AGAIN = 'is not what the original systems were asked about; ask them again: npm run test:originals'

describe('planspan’s documents', () => {
  test('are those that the original systems have validated', async () => {
    const changed: string[] = []
    const missing = new Set(
      Object.entries(documents).flatMap(([dialect, known]) =>
        Object.keys(known).map((source) => `${dialect} of ${source}`),
      ),
    )
    for await (const { source, dialect, text } of writtenDocuments({ mapping, generate, tracing })) {
      missing.delete(`${dialect} of ${source}`)
      if (documents[dialect]?.[source] !== digestOf(text)) changed.push(`${dialect} of ${source} ${ASK_AGAIN}`)
    }
    expect([...changed, ...[...missing].map((name) => `${name} is no longer written; ask again`)]).toEqual([])
  })

  test.each(Object.entries(SYSTEMS))('are accepted by %s, except with a declared reason', (name, system) => {
    const { repository, commit, dialects, reasons } = system
    expect(origin.systems[name]).toEqual({ repository, commit })
    const refused = dialects.flatMap((dialect) =>
      Object.values(refusals[dialect] ?? {}).map((why) => `${dialect}: ${why}`),
    )
    expect(new Set(refused)).toEqual(new Set(Object.keys(reasons)))
  })
})
