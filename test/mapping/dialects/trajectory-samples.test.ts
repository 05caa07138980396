import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { decodeRecord, encodeRecords, toStoredSpan, type EncodedRecord } from '../../../src/mapping/index.js'
import { ATTR } from '../../../src/semconv/index.js'

const read = (file: string): string =>
  readFileSync(new URL(`../../fixtures/trajectory/${file}`, import.meta.url), 'utf8')

const encodeOne = (text: string): EncodedRecord => {
  const [record, ...more] = encodeRecords(new TextEncoder().encode(text))
  expect(more).toEqual([])
  return record!
}

describe('a file of SafePred', () => {
  test.each([
    ['execution_trajectory.json', 'trajectory', 'completed'],
    ['harmonyguard-rerun.json', 'trajectory', 'failed'],
    ['computer-use-crashed.json', 'trajectory', 'running'],
    ['proposed-fields.json', 'trajectory', 'completed'],
    ['traj.jsonl', 'trajectory:traj', 'completed'],
    ['traj-crashed-rerun.jsonl', 'trajectory:traj', 'failed'],
  ])('%s is rebuilt byte for byte as %s, %s, without a residual', (file, dialect, state) => {
    const text = read(file)
    const record = encodeOne(text)
    const decoded = decodeRecord(record.spans.map(toStoredSpan))
    expect(record.spans.flatMap(({ attributes }) => attributes[ATTR.residual] ?? [])).toEqual([])
    expect(decoded?.text).toBe(text)
    expect(decoded).toMatchObject({ dialect, state, verdict: 'complete', missing: [], live: false })
  })

  test('with accessibility trees of 200 kB is rebuilt byte for byte', () => {
    const a11y_tree = 'push-button\tBookmark "this" tab\t""\t\t\t(1796, 111)\t(32, 32)\n'.repeat(3_500)
    const steps = [0, 1, 2].map((step_idx) => ({ step_idx, response: 'r', actions: [], a11y_tree }))
    const text = JSON.stringify({ steps }, null, 2)
    const { spans } = encodeOne(text)
    expect(spans.flatMap(({ attributes }) => attributes[ATTR.residual] ?? [])).toEqual([])
    expect(decodeRecord(spans.map(toStoredSpan))?.text).toBe(text)
  })
})
