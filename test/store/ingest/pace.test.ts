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
  /** They send one after another and are answered together. */
  const sendTogether = (clients: readonly object[], apartMs: number, answerMs: number) => {
    const patience = clients.map((client) => {
      wait(apartMs)
      return pace.arrives(client)
    })
    wait(answerMs)
    for (const client of clients) pace.answered(client)
    return patience
  }
  return { send, wait, sendTogether }
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

  it('lets a sender of many requests at once not wait, whichever of its connections it takes', () => {
    const { sendTogether } = simulate()
    const connections = Array.from({ length: 60 }, () => ({}))
    sendTogether(connections.slice(0, 20), 1, 300)
    for (let round = 1; round < 9; round++) {
      const from = (round % 3) * 20
      expect(sendTogether(connections.slice(from, from + 20), 1, 300)).toContain(0)
    }
  })

  it('lets many clients that come at their own times wait, though some of them come right behind an answer', () => {
    const { send, wait, sendTogether } = simulate()
    const clients = Array.from({ length: 80 }, () => ({}))
    const atFirst = [...clients, ...clients].map((client) => {
      wait(10)
      return send(client, 40)
    })
    expect(new Set(atFirst.slice(80))).toEqual(new Set([PATIENCE_MS]))
    const patience = Array.from({ length: 20 }, (_, round) =>
      sendTogether([...clients.slice(20 * (round % 4)), ...clients].slice(0, 20), 50, 100),
    )
    expect(new Set(patience.slice(5).flat())).toEqual(new Set([PATIENCE_MS]))
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
