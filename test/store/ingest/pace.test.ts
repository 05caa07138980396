import { describe, expect, it } from 'vitest'

import { Pace } from '../../../src/store/ingest/pace.js'

const PATIENCE_MS = 1000

/** A pace with a clock of its own, and clients that send and are answered at its times. */
function simulate() {
  let now = 0
  const pace = new Pace(PATIENCE_MS, () => now)
  const send = (client: object, answerMs = 100) => {
    const patience = pace.arrives(client)
    now += answerMs
    pace.answered(client)
    return patience
  }
  const wait = (ms: number) => (now += ms)
  return { send, wait }
}

describe('how long a request may wait for others', () => {
  it('lets no request wait whose client is alone', () => {
    const { send, wait } = simulate()
    const client = {}
    for (const pause of [0, 10, 500, 5000]) {
      wait(pause)
      expect(send(client)).toBe(0)
    }
  })

  it('lets a client that comes back at its own times wait while there are others', () => {
    const { send, wait } = simulate()
    const clients = [{}, {}, {}]
    for (const client of clients) send(client)
    for (const client of [...clients, ...clients]) {
      wait(300)
      expect(send(client)).toBe(PATIENCE_MS)
    }
  })

  it('lets no client wait that sends as soon as it is answered, though there are others', () => {
    const { send, wait } = simulate()
    const [busy, other] = [{}, {}]
    for (let round = 0; round < 3; round++) {
      send(other, 0)
      wait(5)
      expect(send(busy)).toBe(0)
    }
  })

  it('takes a client for busy again some requests after a pause', () => {
    const { send, wait } = simulate()
    const [busy, other] = [{}, {}]
    send(busy)
    wait(400)
    const patience = Array.from({ length: 4 }, () => {
      send(other, 0)
      return send(busy, 0)
    })
    expect(patience).toEqual([PATIENCE_MS, PATIENCE_MS, 0, 0])
  })

  it('lets a client of which nothing is known do as the others do', () => {
    const { send, wait } = simulate()
    const [one, two] = [{}, {}]
    expect([send(one), send(two), send({})]).toEqual([0, 0, 0])
    wait(300)
    expect(send(one)).toBe(PATIENCE_MS)
    expect(send({})).toBe(PATIENCE_MS)
  })

  it('forgets the others when they have been silent for as long as it would wait', () => {
    const { send, wait } = simulate()
    const [one, two] = [{}, {}]
    send(one)
    send(two)
    wait(PATIENCE_MS)
    expect(send(one)).toBe(0)
  })
})
