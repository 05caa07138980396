import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { Pace } from '../../../src/store/ingest/pace.js'

/** A pace with a clock that the test moves, in milliseconds. */
function paceAt() {
  let time = 0
  const pace = new Pace(() => time)
  const after = (ms: number) => {
    time += ms
  }
  /** A sender's request that is answered at once; returns how long it might have waited. */
  const request = (...marks: string[]) => {
    const patience = pace.recordRequest(marks)
    pace.recordResponse(marks)
    return patience
  }
  /** Requests of that many senders, each with its own mark. */
  const others = (count: number) => {
    for (let other = 0; other < count; other++) request(`other ${other}`)
  }
  return { pace, after, request, others }
}

describe('the time that a request may wait for others', () => {
  it.each([
    [1000, 750],
    [2000, 1500],
    [30_000, 2500],
  ])('is a fraction of the %i ms since its sender’s last request, at most 2.5 seconds', (pause, patience) => {
    const { after, request, others } = paceAt()
    request('a')
    others(120)
    after(pause)
    expect(request('a')).toBe(patience)
  })

  it.each([0, 10, 999])('is zero when its sender sends again %i ms after its response', (pause) => {
    const { after, request, others } = paceAt()
    request('a')
    others(80)
    after(pause)
    expect(request('a')).toBe(0)
  })

  it.each([
    ['a new sender', () => undefined],
    [
      'a sender that has been silent for long',
      ({ request, after }: ReturnType<typeof paceAt>) => {
        request('a')
        after(60_001)
      },
    ],
  ])('is zero for %s', (_, before) => {
    const made = paceAt()
    before(made)
    made.others(80)
    expect(made.request('a')).toBe(0)
  })

  it('is zero without a mark of the sender', () => {
    const { after, request, others } = paceAt()
    request()
    others(80)
    after(5000)
    expect(request()).toBe(0)
  })

  it('is zero if no other request is expected meanwhile', () => {
    const { after, request, others } = paceAt()
    request('a')
    others(1)
    after(2000)
    expect(request('a')).toBe(0)
    others(2)
    after(2000)
    expect(request('a')).toBe(1500)
  })

  it('is that of the mark that was answered last, and zero if a mark is new', () => {
    const { after, request, others } = paceAt()
    request('socket 1', 'agent')
    request('socket 2', 'agent')
    others(80)
    after(2000)
    expect(request('socket 1', 'agent')).toBe(1500)
    expect(request('socket 2', 'agent')).toBe(0)
    after(4000)
    expect(request('socket 3', 'agent')).toBe(0)
  })

  it('is zero within a second, and at most three quarters of the pause, for any sockets of a client with one request in flight', () => {
    const step = fc.record({
      socket: fc.integer({ min: 1, max: 6 }),
      pauseMs: fc.integer({ min: 0, max: 9000 }),
      insertMs: fc.integer({ min: 0, max: 500 }),
      others: fc.integer({ min: 0, max: 50 }),
    })
    fc.assert(
      fc.property(fc.array(step, { minLength: 2 }), (steps) => {
        const { pace, after, others } = paceAt()
        for (const { socket, pauseMs, insertMs, others: count } of steps) {
          after(pauseMs)
          const marks = [`socket ${socket}`, 'agent']
          expect(pace.recordRequest(marks)).toBeLessThanOrEqual(pauseMs < 1000 ? 0 : pauseMs * 0.75)
          others(count)
          after(insertMs)
          pace.recordResponse(marks)
        }
      }),
    )
  })

  it('counts from the last response while further requests wait', () => {
    const { pace, after, request, others } = paceAt()
    request('a')
    others(80)
    after(1000)
    expect(pace.recordRequest(['a'])).toBe(750)
    after(1000)
    expect(pace.recordRequest(['a'])).toBe(1500)
  })
})

describe('a sender', () => {
  it('waits for its responses if any of its marks was answered within a second', () => {
    const { pace, after, request } = paceAt()
    expect(pace.isPrompt(['a'])).toBe(false)
    request('a', 'socket 1')
    after(999)
    expect([['a', 'socket 2'], ['socket 1'], ['b', 'socket 2'], []].map((marks) => pace.isPrompt(marks))).toEqual([
      true,
      true,
      false,
      false,
    ])
    after(1)
    expect(pace.isPrompt(['a', 'socket 1'])).toBe(false)
  })
})
