import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { differences } from '../../../src/cli/verify/difference.js'
import { parseJsonDocument } from '../../../src/mapping/json/parse.js'

describe('differences', () => {
  test.each([
    ['{"a":1}', '{"a":2}', ['$.a: 1 came back as 2']],
    ['{"a":1.0}', '{"a":1}', ['$.a: 1.0 came back as 1']],
    ['{"a":"\\u00e4"}', '{"a":"ä"}', ['$.a: "\\u00e4" came back as "ä"']],
    ['{"a":null}', '{}', ['$.a: did not come back']],
    ['{}', '{"a":null}', ['$.a: came back, but was not sent']],
    ['{"a":1,"b":2}', '{"b":2,"a":1}', ['$: the keys came back in another order']],
    ['{"a b":[1,{"c":true}]}', '{"a b":[1,{"c":false}]}', ['$["a b"][1].c: true came back as false']],
    ['[1,2]', '[1]', ['$[1]: 2 came back as nothing']],
    ['[1]', '[1,2,3]', ['$: 2 more items came back than went in']],
    ['{"a":{}}', '{"a":[1]}', ['$.a: {} came back as [1]']],
    ['{"a":1,"a":2}', '{"a":1,"a":3}', ['$.a: 2 came back as 3']],
    ['{"\\u0061":1}', '{"a":1}', ['$.a: the key is escaped in another way']],
    ['{"a":1}', '', ['$: {"a":1} came back as nothing']],
    ['{\n"a": 1}', '{\n"a":1}', ['layout, line 2, column 5: " 1}" came back as "1}"']],
    ['{"a":1}\n', '{"a":1}', ['layout, line 1, column 8: "\\n" came back as ""']],
  ])('between %s and %s are reported', (expected, actual, lines) => {
    expect([...differences(expected, actual)]).toEqual(lines)
  })

  test('is empty exactly if the texts are equal', () => {
    const spaced = fc
      .tuple(fc.json(), fc.constantFrom(undefined, 1, 2))
      .map(([text, indent]) => JSON.stringify(JSON.parse(text), null, indent))
    fc.assert(
      fc.property(spaced, spaced, (a, b) => {
        expect([...differences(a, a)]).toEqual([])
        expect([...differences(a, b)].length > 0).toBe(a !== b)
      }),
    )
  })

  test('name a path for any single value that changed', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0 }), { minLength: 1 }), fc.nat(), (numbers, pick) => {
        const index = pick % numbers.length
        const changed = numbers.with(index, -1)
        const lines = [...differences(JSON.stringify({ numbers }), JSON.stringify({ numbers: changed }))]
        expect(lines).toEqual([`$.numbers[${index}]: ${numbers[index]} came back as -1`])
        expect(parseJsonDocument(JSON.stringify(changed)).root.kind).toBe('array')
      }),
    )
  })
})
