import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodeRecords } from '../../../src/mapping/index.js'
import { parseJsonDocument } from '../../../src/mapping/json/parse.js'
import { RecordSplitter, type RecordBytes } from '../../../src/mapping/stream/record-splitter.js'
import { RecordStream } from '../../../src/mapping/stream/record-stream.js'
import { jsonSpace, jsonText } from '../../support/arbitrary-json.js'

/** Splits bytes into chunks of the given sizes, repeatedly. */
function* pieces(bytes: Uint8Array, sizes: readonly number[]): Generator<Uint8Array> {
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 })

function split(text: string, chunkSizes: readonly number[]): RecordBytes[] {
  const splitter = new RecordSplitter()
  const found: RecordBytes[] = []
  const take = (isEnd: boolean): void => {
    for (let next = splitter.next({ isEnd }); next; next = splitter.next({ isEnd })) found.push(next)
  }
  for (const piece of pieces(Buffer.from(text), chunkSizes)) {
    splitter.push(piece)
    take(false)
  }
  take(true)
  return found
}

const texts = (records: readonly RecordBytes[]): string[] =>
  records.map(({ bytes }) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))

/** The reference result: the parser on the whole text. */
function splitWhole(text: string): string[] {
  const found: string[] = []
  for (let at = 0; at < text.length;) {
    const { end } = parseJsonDocument(text, found.length === 0 && text.startsWith('\uFEFF') ? 1 : at)
    const line = /[ \t\r]*\n?/y
    line.lastIndex = end
    line.exec(text)
    const next = /^[ \t\r\n]*$/.test(text.slice(line.lastIndex)) ? text.length : line.lastIndex
    found.push(text.slice(at, next))
    at = next
  }
  return found
}

const wellFormed = (text: string): string => Buffer.from(text).toString()

describe('a stream of JSON documents', () => {
  const separator = fc.oneof(fc.constantFrom('\n', '\r\n', ' \n', '\n\n', '', ' '), jsonSpace)
  const file = fc
    .tuple(
      fc.constantFrom('', '\uFEFF'),
      jsonSpace,
      fc.array(fc.tuple(jsonText('object'), separator), { minLength: 1, maxLength: 5 }),
    )
    .map(([mark, head, documents]) => wellFormed(mark + head + documents.flat().join('')))

  test('is split as the parser splits the whole text, in any chunks', () => {
    fc.assert(
      fc.property(file, sizes, (text, chunkSizes) => {
        expect(texts(split(text, chunkSizes))).toEqual(splitWhole(text))
      }),
      { numRuns: 500 },
    )
  })

  test('reports the line on which each value starts', () => {
    const records = split('\n{"a":\n1}\n\n\n{"b":2}\n{"c":3} {"d":4}', [3])
    expect(records.map(({ line }) => line)).toEqual([2, 6, 7, 7])
    expect(texts(records).join('')).toBe('\n{"a":\n1}\n\n\n{"b":2}\n{"c":3} {"d":4}')
  })

  test('continues after a broken document at the next line that begins with a brace', () => {
    const good = fc.constantFrom('{"good":1}', '{\n  "good": {\n    "a": [1]\n  }\n}')
    const bad = fc.constantFrom('{"broken":', '{"a" 1}', '[1,,2]', '{"open":"', ']', '{"a":[1}', '{"ü', '{"a":1,}')
    const lines = fc.array(fc.oneof(good, bad), { maxLength: 6 })
    fc.assert(
      fc.property(lines, sizes, (parts, chunkSizes) => {
        const records = split(`${parts.join('\n')}\n`, chunkSizes)
        expect(texts(records.filter(({ isBroken }) => !isBroken)).map((text) => text.trim())).toEqual(
          parts.filter((part) => part.includes('good')),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('with only white space has no record', () => {
    expect(split('', [1])).toEqual([])
    expect(split('\uFEFF \n\t', [1])).toEqual([])
  })
})

describe('the records of a stream', () => {
  const run = '{"question": "q", "plan": {}, "locale": "ü"}\n'
  const read = (bytes: Uint8Array, chunkSizes: readonly number[]) => {
    const stream = new RecordStream()
    const found = [...pieces(bytes, chunkSizes)].flatMap((piece) => [...stream.push(piece)])
    return [...found, ...stream.end()]
  }

  test('are those of the whole file, each with its dialect', () => {
    const plan = '{"planId":"p","userRequest":"r"}\n'
    const bytes = Buffer.from(`\uFEFF${run}${plan}\n${run}`)
    const whole = [...encodeRecords(bytes)]
    fc.assert(
      fc.property(sizes, (chunkSizes) => {
        const found = read(bytes, chunkSizes).map((each) => ('record' in each ? each : undefined))
        expect(found.map((each) => [each?.dialect.name, each?.record.text])).toEqual(
          whole.map(({ dialect, text }) => [dialect, text]),
        )
      }),
      { numRuns: 20 },
    )
  })

  test('are returned with the errors of the others and their lines', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${run}{"question":\n{"a":1}\nnonsense\n`),
      Uint8Array.of(0x22, 0xff, 0x22, 0x0a),
      Buffer.from(run),
    ])
    const found = read(bytes, [7]).map((each) => ('error' in each ? [each.line, each.error.message] : each.record.text))
    expect(found).toEqual([
      run,
      [2, 'Not JSON: expected "," or "}", line 4, column 1.'],
      [3, expect.stringContaining('No known record format: an object with the keys "a"')],
      [4, 'Not JSON: unexpected "n", line 4, column 1.'],
      [5, expect.stringContaining('Not UTF-8')],
      run,
    ])
  })
})
