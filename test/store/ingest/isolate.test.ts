import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { insertIsolated, type Isolation } from '../../../src/store/ingest/isolate.js'
import type { WriteRequest } from '../../../src/store/ingest/index.js'

class Refusal extends Error {}

/** A store whose spans are bytes; it rejects every insert that contains a 0. */
function memoryStore() {
  const stored: number[] = []
  let inserts = 0
  const isolation: Isolation = {
    insert: async (requests) => {
      inserts++
      const spans = requests.flatMap(({ body }) => [...body])
      if (spans.includes(0)) throw new Refusal('a zero')
      stored.push(...spans)
    },
    rejection: (error) => (error instanceof Refusal ? error.message : undefined),
    isTooLarge: () => false,
    narrow: ({ body }, keep) => body.filter((_, span) => keep(span)),
  }
  return { isolation, stored, inserts: () => inserts }
}

const toRequest = (body: Uint8Array): WriteRequest => ({ encoding: 'protobuf', body, spans: body.length })

describe('isolating rejected spans', () => {
  it('stores every other span once and counts the rejected spans per request', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ min: 0, max: 9, minLength: 1, maxLength: 12 })), async (bodies) => {
        const { isolation, stored } = memoryStore()
        const results = await insertIsolated(isolation, bodies.map(toRequest))
        expect(stored).toEqual(bodies.flatMap((body) => [...body]).filter((span) => span !== 0))
        expect(results.map(({ rejectedSpans }) => rejectedSpans)).toEqual(
          bodies.map((body) => body.filter((span) => span === 0).length),
        )
        expect(results.map(({ errorMessage }) => errorMessage === 'a zero')).toEqual(
          bodies.map((body) => body.includes(0)),
        )
      }),
    )
  })

  it('finds a single span among thousands with a few dozen inserts', async () => {
    const bodies = Array.from({ length: 64 }, (_, request) =>
      new Uint8Array(512).fill(1).fill(0, 7, request === 33 ? 8 : 7),
    )
    const { isolation, stored, inserts } = memoryStore()
    await insertIsolated(isolation, bodies.map(toRequest))
    expect(stored).toHaveLength(64 * 512 - 1)
    expect(inserts()).toBeLessThan(40)
  })

  it('halves requests that are too large for one insert, and passes on the error of a single request that is too large', async () => {
    const { isolation, stored } = memoryStore()
    const insert: Isolation['insert'] = async (requests) => {
      if (requests.reduce((sum, { spans }) => sum + spans, 0) > 3) throw new Error('no memory')
      await isolation.insert(requests)
    }
    const halving = { ...isolation, insert, isTooLarge: () => true }
    const small = [1, 2, 1, 3].map((spans) => toRequest(new Uint8Array(spans).fill(1)))
    expect(await insertIsolated(halving, small)).toEqual(small.map(() => ({ rejectedSpans: 0, errorMessage: '' })))
    expect(stored).toHaveLength(7)
    await expect(insertIsolated(halving, [toRequest(new Uint8Array(4).fill(1))])).rejects.toThrow('no memory')
  })

  it('passes on an error that the data did not cause', async () => {
    const { isolation } = memoryStore()
    const insert = () => Promise.reject(new Error('disk full'))
    await expect(insertIsolated({ ...isolation, insert }, [toRequest(Uint8Array.of(1))])).rejects.toThrow('disk full')
  })
})
