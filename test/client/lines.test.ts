import fc from 'fast-check'
import { expect, test } from 'vitest'

import { lines } from '../../src/client/lines.js'

async function read(pieces: readonly Uint8Array[]): Promise<{ all: string[]; rest: string }> {
  const reading = lines(
    (async function* () {
      yield* pieces
    })(),
  )
  const all: string[] = []
  for (;;) {
    const { done, value } = await reading.next()
    if (done) return { all, rest: value }
    all.push(value)
  }
}

test('a text has the same lines in whatever chunks it arrives', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.tuple(
          fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[\r\n]/g, '')),
          fc.constantFrom('\n', '\r\n', '\r'),
        ),
      ),
      fc.array(fc.nat(20)),
      async (wanted, cuts) => {
        // The text that follows makes no CR half of a line end.
        const bytes = new TextEncoder().encode(`${wanted.map(([text, end]) => `${text}|${end}`).join('')}rest`)
        const pieces: Uint8Array[] = []
        let at = 0
        for (const cut of cuts) {
          pieces.push(bytes.subarray(at, at + cut))
          at += cut
        }
        pieces.push(bytes.subarray(at))
        const { all, rest } = await read(pieces)
        expect(all).toEqual(wanted.map(([text]) => `${text}|`))
        expect(rest).toBe('rest')
      },
    ),
  ))
