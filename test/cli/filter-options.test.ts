import { afterEach, expect, test, vi } from 'vitest'

import { command as exportCommand } from '../../src/cli/export/export-command.js'
import { command as listCommand } from '../../src/cli/list/list.js'
import { filtersOf, planFilters } from '../../src/cli/filter-options.js'
import { serverOptions } from '../../src/cli/server/resolve-server.js'
import { EXPORT_QUERY, FACETS_QUERY, LIST_QUERY } from '../../src/wire/index.js'

/** The server's parameters in the spelling of the command line. */
const optionsFor = (schema: { readonly shape: object }): string[] =>
  Object.keys(schema.shape).map((name) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`))

const without = (names: readonly string[], ...others: string[]): string[] =>
  names.filter((name) => !others.includes(name)).toSorted()

const OF_NO_FILTER = ['json', ...Object.keys(serverOptions)]

test('list accepts the same filters as the server’s list, except its paging', () => {
  const options = without(Object.keys(listCommand.options), ...OF_NO_FILTER, 'facets')
  expect(options).toEqual(without(optionsFor(LIST_QUERY), 'cursor'))
  expect(without(optionsFor(FACETS_QUERY), 'limit')).toEqual(Object.keys(planFilters).toSorted())
})

test('export accepts the same filters as the server’s export, with --resume for its cursor', () => {
  const options = without(Object.keys(exportCommand.options), ...OF_NO_FILTER, 'out', 'parquet')
  expect(options).toEqual([...without(optionsFor(EXPORT_QUERY), 'cursor'), 'resume'].toSorted())
})

afterEach(() => vi.useRealTimers())

test('options are sent under the server’s names, with ages as times', () => {
  const noon = Date.UTC(2026, 2, 4, 12)
  vi.useFakeTimers({ now: noon, toFake: ['Date'] })
  const asked = filtersOf({ 'min-cost-usd': '0.5', 'error-type': 'Oops', since: '2h', until: '2026-03-04', all: true })
  const sent = LIST_QUERY.parse(
    Object.fromEntries(
      Object.entries(asked)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    ),
  )
  expect(sent).toMatchObject({ minCostUsd: 0.5, errorType: ['Oops'], all: true })
  expect(sent.until).toBe(BigInt(Date.UTC(2026, 2, 4)) * 1_000_000n)
  expect(sent.since).toBe(BigInt(noon - 7_200_000) * 1_000_000n)
})
