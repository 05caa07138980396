import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { conversionTable } from '../../scripts/conversion-table.mjs'
import { withGeneratedPart } from '../../scripts/generated-part.mjs'
import { generatePlans } from '../../src/generate/index.js'
import { FACT_KINDS, factsOf } from '../../src/mapping/conversion/index.js'
import * as mapping from '../../src/mapping/index.js'
import * as semconv from '../../src/semconv/index.js'

test('docs/dialects.md shows which kinds of facts each dialect holds', { timeout: 120_000 }, () => {
  const page = readFileSync(new URL('../../docs/dialects.md', import.meta.url), 'utf8')
  expect(
    withGeneratedPart(
      page,
      'conversions',
      conversionTable({ mapping, conversion: { FACT_KINDS, factsOf }, semconv, generatePlans }),
    ),
  ).toBe(page)
})
