import { expect, it } from 'vitest'

import { CLASS, pythonIn } from '../../../src/mapping/adopt/values/python-data.js'

it.each<[text: string, data: unknown]>([
  [
    "{'a': 1, 'b': [None, True, 'it\\'s', \"q\"], 'c': (1.5, -2,)}",
    { a: 1, b: [null, true, "it's", 'q'], c: [1.5, -2] },
  ],
  ["[A(x='1', y=B('z'), k=<E.F: 'g'>)]", [{ [CLASS]: 'A', x: '1', y: { [CLASS]: 'B', 0: 'z' }, k: 'g' }]],
  ["content='Hi' kwargs={} id=None", { content: 'Hi', kwargs: {}, id: null }],
  [
    'A(at=datetime.datetime(2026, 1, 2), of=<a.B object at 0x7f>)',
    { [CLASS]: 'A', at: { [CLASS]: 'datetime.datetime', 0: 2026, 1: 1, 2: 2 }, of: '<a.B object at 0x7f>' },
  ],
  ["['a' 'b', '\\n\\x41\\u20ac']", ['ab', '\nA€']],
  ["[{'__proto__': 1}]", [JSON.parse('{"__proto__": 1}')]],
])('parses %s', (text, data) => {
  expect(JSON.parse(JSON.stringify(pythonIn(text)))).toEqual(data)
})

it.each([
  'Hi',
  'Hi there (you)',
  '[1] is it',
  "A(x='1', y=",
  "{'a': 1} and more",
  `${'['.repeat(200)}${']'.repeat(200)}`,
])('leaves other text: %s', (text) => {
  expect(pythonIn(text)).toBeUndefined()
})

it('parses large texts', () => {
  const items = `'${'x'.repeat(90)}\\n', `.repeat(10_000)
  expect(pythonIn(`[${items}]`)).toHaveLength(10_000)
  expect(pythonIn(`['${'x'.repeat(1_000_000)}']`)).toHaveLength(1)
})
