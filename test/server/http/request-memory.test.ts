import { expect, test } from 'vitest'

import { Room } from '../../../src/server/http/request-memory.js'

test('a client gets its share and no more, and leaves the rest to others', () => {
  const room = new Room({ total: 100 })
  const greedy = room.open('a')
  greedy.take(50)
  expect(() => room.open('a').take(1)).toThrow('under way')
  const other = room.open('b')
  other.take(40)
  expect(() => room.open('c').take(11)).toThrow('under way')
  greedy.release()
  room.open('c').take(11)
  room.open('a').take(49)
})

test('a request that takes too long to arrive yields its memory, the client’s oldest first', () => {
  const room = new Room({ total: 100, patienceMs: 0 })
  const ended: string[] = []
  const arriving = (client: string, name: string) => {
    const holding = room.open(client)
    holding.arrives(() => ended.push(name))
    return holding
  }
  arriving('b', 'of another').take(10)
  arriving('a', 'first').take(30)
  const second = arriving('a', 'second')
  second.take(20)
  const third = room.open('a')
  third.take(25)
  expect(ended).toEqual(['first'])
  second.hasArrived()
  expect(() => room.open('a').take(6)).toThrow('under way')
  const whole = room.open('c')
  whole.take(50)
  expect(ended).toEqual(['first', 'of another'])
})

test('a request that has only just started to arrive keeps its memory', () => {
  const room = new Room({ total: 100 })
  const first = room.open('a')
  first.arrives(() => expect.unreachable())
  first.take(50)
  expect(() => room.open('a').take(1)).toThrow('under way')
})

test('a request’s memory is released only once', () => {
  const room = new Room({ total: 100, patienceMs: 0 })
  const first = room.open('a')
  first.arrives(() => first.release())
  first.take(50)
  room.open('a').take(50)
  first.release()
  room.open('b').take(50)
  expect(() => room.open('c').take(1)).toThrow('under way')
})
