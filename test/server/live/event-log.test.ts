import { describe, expect, test } from 'vitest'

import { EventLog } from '../../../src/server/live/event-log.js'

const logOf = (...ids: string[]): EventLog => {
  const log = new EventLog()
  for (const id of ids) log.add(id, `data: ${id}\r\n\r\n`)
  return log
}

const cursorsOf = (log: EventLog): string[] => [...log.read(0).text.matchAll(/^id: (.*)\r$/gm)].map(([, id]) => id!)
const lastOf = (log: EventLog): string => cursorsOf(log).at(-1)!

const [a, b, c, late] = ['1767061562001-10', '1767061562002-20', '1767061562003-30', '1767061562001-15'] as const

describe('the position of a client in a plan’s events', () => {
  test('is after the event that its cursor names', () => {
    const log = logOf(a, b, c)
    expect(cursorsOf(log).map((cursor) => log.indexAfter(cursor))).toEqual([1, 2, 3])
  })

  test('is the same in a log that was rebuilt from the same events in any order', () => {
    expect(logOf(b, a, c).indexAfter(lastOf(logOf(a, b)))).toBe(2)
  })

  test('is the beginning if the client has missed an earlier event', () => {
    expect(logOf(a, late, b, c).indexAfter(lastOf(logOf(a, b)))).toBe(0)
    expect(logOf(a, b, late, c).indexAfter(lastOf(logOf(a, b)))).toBe(2)
  })

  test('is after an event named by its bare id, and the beginning for any other text', () => {
    const log = logOf(a, b, c)
    expect([b, late, '', 'x.1.1', `${b}.2.zz`].map((id) => log.indexAfter(id))).toEqual([2, 0, 0, 0, 0])
  })

  test('is unchanged when an event turns out to have been earlier', () => {
    expect(logOf(a, '1767061562000-20', c).indexAfter(lastOf(logOf(a, b)))).toBe(2)
    expect(logOf(a, '1767061562000-20', c).indexAfter(b)).toBe(2)
  })

  test('does not count events that may be removed later', () => {
    const log = logOf(a, b)
    log.addTransient('1767061562009-0', 'data: gone\r\n\r\n')
    const [, seenB, seenAll] = cursorsOf(log)
    expect([seenB, seenAll].map((cursor) => log.indexAfter(cursor!))).toEqual([2, 3])
    expect(logOf(a, b, c).indexAfter(seenAll!)).toBe(2)
  })
})
