import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { FrameReader } from '../../../src/cli/follow/read-events.js'

const SAMPLE = readFileSync(new URL('../../fixtures/plan-act/default-mock/chat.sse', import.meta.url), 'utf8')
const framesOf = (pieces: readonly string[]) => {
  const reader = new FrameReader()
  return pieces.flatMap((piece) => [...reader.push(piece)])
}

test('ManusX’s frames are read unchanged, without the keep-alives', () => {
  const events = SAMPLE.split(/(?<=\r\n\r\n)/).filter((frame) => frame.startsWith('event:'))
  expect(framesOf([SAMPLE]).map(({ text }) => text)).toEqual(events)
})

test('a stream gives the same frames wherever it is split', () => {
  const whole = framesOf([SAMPLE])
  fc.assert(
    fc.property(fc.array(fc.nat(SAMPLE.length), { maxLength: 20 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), SAMPLE.length]
      expect(framesOf(at.slice(1).map((end, n) => SAMPLE.slice(at[n], end)))).toEqual(whole)
    }),
  )
})

test.each([
  ['line feeds', 'event: a\ndata: {"event_id":"1"}\n\n', { event: 'a', id: '1', streamId: undefined }],
  ['carriage returns', 'event: a\rdata: {}\r\rx', { event: 'a', id: undefined, streamId: undefined }],
  ['an id of the stream', 'id: 7\nevent: a\ndata: {}\n\n', { event: 'a', id: '7', streamId: '7' }],
  ['no name', 'data: {}\n\n', { event: '', text: 'data: {}\r\n\r\n' }],
  ['data in several lines', 'data: {\ndata: }\n\n', { text: 'data: {\r\ndata: }\r\n\r\n' }],
])('a frame with %s', (_, text, expected) => {
  expect(framesOf([text])).toMatchObject([expected])
})
