import { describe, expect, test } from 'vitest'
import { checkTimeZone, isoOf, unixNanoOf } from '../../../src/mapping/record-object/unix-nano.js'

describe('the instant of', () => {
  test.each([
    ['2025-03-28', 'UTC', '2025-03-28T00:00:00.000Z'],
    ['2025-03-28T14:14', 'UTC', '2025-03-28T14:14:00.000Z'],
    ['2025-03-28T14:14:11', 'UTC', '2025-03-28T14:14:11.000Z'],
    ['2025-03-28T14:14:11.1203', 'UTC', '2025-03-28T14:14:11.120300Z'],
    ['2025-03-28T14:14:11.711141009', 'UTC', '2025-03-28T14:14:11.711141009Z'],
    ['2025-03-28T14:14:11Z', 'Asia/Shanghai', '2025-03-28T14:14:11.000Z'],
    ['2025-03-28T14:14:11+02:00', 'Asia/Shanghai', '2025-03-28T12:14:11.000Z'],
    ['2025-03-28T14:14:11', 'Asia/Shanghai', '2025-03-28T06:14:11.000Z'],
    ['2025-01-15T12:00:00', 'Europe/Berlin', '2025-01-15T11:00:00.000Z'],
    ['2025-07-15T12:00:00', 'Europe/Berlin', '2025-07-15T10:00:00.000Z'],
    ['2025-03-30T03:30:00', 'Europe/Berlin', '2025-03-30T01:30:00.000Z'],
  ])('%s in %s is %s', (text, zone, iso) => {
    expect(isoOf(unixNanoOf(text, zone)!)).toBe(iso)
  })

  test.each([
    '',
    'now',
    '2025-13-01T00:00:00',
    '2025-01-01T24:00:00',
    '2025-01-01T10:60:00',
    '2025-02-30T00:00:00',
    '1969-12-31T23:59:59',
    '0070-01-01T00:00:00',
  ])('%j is undefined', (text) => {
    expect(unixNanoOf(text, 'UTC')).toBeUndefined()
  })
})

test('an unknown zone is rejected, and a known one is accepted', () => {
  expect(() => checkTimeZone('Mars/Olympus')).toThrow('Unknown time zone "Mars/Olympus"')
  expect(() => checkTimeZone('Europe/Berlin')).not.toThrow()
})
