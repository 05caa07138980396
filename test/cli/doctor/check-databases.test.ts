import { expect, test } from 'vitest'

import { checkIndex } from '../../../src/cli/doctor/check-databases.js'

const INDEXED = { pendingRows: 0, lagSeconds: 0, failedTraces: 0, failures: [] }
const RUNNING = { running: true, lagSeconds: 0, pendingRows: 0 }

test('a database that is indexed, or will be shortly, is ok', () => {
  expect(checkIndex('otel', INDEXED)).toEqual([{ level: 'ok', text: 'The spans of the database otel are indexed' }])
  expect(checkIndex('otel', { ...INDEXED, pendingRows: 7, lagSeconds: 3 }, RUNNING)).toEqual([
    { level: 'ok', text: 'The spans of the database otel are indexed, except for the last 3.0 s' },
  ])
})

test.each([
  ['without an indexer', undefined, /No indexer seems to run.*`planspan index --database acme` catches up/],
  ['with one that is behind', RUNNING, /The server’s indexer is running/],
  ['with one that fails', { ...RUNNING, running: false, error: 'ClickHouse says no.' }, /fails.*ClickHouse says no/],
])('warns of old spans that are not indexed and names the stale data: %s', (_, indexer, advice) => {
  const [finding, ...more] = checkIndex('acme', { ...INDEXED, pendingRows: 7, lagSeconds: 7_200 }, indexer)
  expect(more).toEqual([])
  expect(finding).toMatchObject({ level: 'warn', text: expect.stringMatching(advice) as string })
  expect(finding?.text).toContain('Lists, SQL views, dashboards and alerts lack')
})

test('names traces that could not be fully indexed, with the reason', () => {
  const failures = [{ traceId: 'a1', reason: 'TypeError: x' }]
  const [, finding] = checkIndex('otel', { ...INDEXED, failedTraces: 3, failures })
  expect(finding?.text).toMatch(/^3 traces of the database otel .*: a1 \(TypeError: x\); and 2 more\. .*--trace ID/)
})
