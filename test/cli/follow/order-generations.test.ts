import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { inOrder, type Reached } from '../../../src/cli/follow/order-generations.js'
import { encodeRecords, type EncodedRecord } from '../../../src/mapping/index.js'

const TEXT = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
const encode = (record: object): EncodedRecord => [...encodeRecords(Buffer.from(JSON.stringify(record)))][0]!
const RUNNING = JSON.parse(TEXT) as object
const endOf = ({ spans }: EncodedRecord): bigint => spans[0]!.endTimeUnixNano

test('a generation with the same times ends after the previous one', () => {
  const reached: Reached = {}
  const waiting = inOrder(encode(RUNNING), reached)
  expect(waiting).toEqual(encode(RUNNING))
  const answered = inOrder(encode({ ...RUNNING, userInputWaitState: null }), reached)
  expect(endOf(answered)).toBe(endOf(waiting) + 1n)
  expect(answered.spans.slice(1)).toEqual(encode({ ...RUNNING, userInputWaitState: null }).spans.slice(1))
  expect(endOf(inOrder(encode({ ...RUNNING, title: 'Other' }), reached))).toBe(endOf(waiting) + 2n)
})

test('so does the last one, although its time is earlier, and then its state is discarded', () => {
  const reached: Reached = {}
  const waiting = inOrder(encode(RUNNING), reached)
  const over = {
    ...RUNNING,
    completed: true,
    endTime: [2025, 12, 30, 10, 26, 2, 510_000_000],
    userInputWaitState: null,
  }
  expect(endOf(inOrder(encode(over), reached))).toBe(endOf(waiting) + 1n)
  expect(reached).toEqual({})
})

test('a record with increasing times is unchanged', () => {
  const reached: Reached = {}
  inOrder(encode(RUNNING), reached)
  const over = encode({ ...RUNNING, completed: true, endTime: [2025, 12, 30, 10, 27], userInputWaitState: null })
  expect(inOrder(over, reached)).toBe(over)
})
