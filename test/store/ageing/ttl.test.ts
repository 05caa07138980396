import { describe, expect, it } from 'vitest'

import { kindOfTtl, sameTtl, splitTtl } from '../../../src/store/ageing/ageing-table.js'

const DROP = 'toDateTime(Timestamp) + toIntervalDay(30)'
const DROP_SOME = "toDateTime(Timestamp) + toIntervalDay(3) WHERE SpanName IN ('a, (b', 'it\\'s TO VOLUME')"
const MOVE = "toDateTime(Timestamp) + toIntervalDay(7) TO VOLUME 'cold'"
const MOVE_TO_DISK = "toDateTime(Timestamp) + toIntervalDay(7) TO DISK 'hdd'"
const RECOMPRESS = 'toDateTime(Timestamp) + toIntervalDay(1) RECOMPRESS CODEC(ZSTD(17))'

describe('a TTL', () => {
  it.each([
    ['', []],
    [DROP, [DROP]],
    [`${DROP}, ${MOVE}`, [DROP, MOVE]],
    [`${DROP_SOME}, ${RECOMPRESS}, ${MOVE_TO_DISK}`, [DROP_SOME, RECOMPRESS, MOVE_TO_DISK]],
  ])('%s is split into its parts', (ttl, parts) => {
    expect(splitTtl(ttl)).toEqual(parts)
  })

  it.each([
    [DROP, 'delete'],
    [DROP_SOME, 'delete'],
    [MOVE, 'move'],
    [MOVE_TO_DISK, 'move'],
    [RECOMPRESS, 'other'],
    ['toDateTime(End) + toIntervalDay(1) GROUP BY PlanId SET Rows = sum(Rows)', 'other'],
  ])('with %s is a %s', (part, kind) => {
    expect(kindOfTtl(part)).toBe(kind)
  })

  it('is the same in whichever order', () => {
    expect(sameTtl([DROP, MOVE], [MOVE, DROP])).toBe(true)
    expect(sameTtl([DROP, MOVE], [DROP])).toBe(false)
  })
})
