import { expect, test } from 'vitest'

import { isMarkdown, markdownOf } from '../../../viewer/src/model/markdown.js'

test('Markdown is read as blocks with their parts', () => {
  const text =
    '# The plan\nFirst **look**, then `book`.\n\n- one\n  - two\n3. three\n\n```js\nlet a = "*b*"\n```\n> said\n---\n|a|b|\n|-|-|'
  expect(markdownOf(text)).toEqual([
    { kind: 'heading', parts: [{ kind: 'text', text: 'The plan' }] },
    {
      kind: 'paragraph',
      parts: [
        { kind: 'text', text: 'First ' },
        { kind: 'strong', text: 'look' },
        { kind: 'text', text: ', then ' },
        { kind: 'code', text: 'book' },
        { kind: 'text', text: '.' },
      ],
    },
    { kind: 'item', marker: '•', depth: 0, parts: [{ kind: 'text', text: 'one' }] },
    { kind: 'item', marker: '•', depth: 1, parts: [{ kind: 'text', text: 'two' }] },
    { kind: 'item', marker: '3.', depth: 0, parts: [{ kind: 'text', text: 'three' }] },
    { kind: 'code', text: 'let a = "*b*"' },
    { kind: 'quote', parts: [{ kind: 'text', text: 'said' }] },
    { kind: 'rule' },
    { kind: 'code', text: '|a|b|\n|-|-|' },
  ])
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[a](javascript:alert(1))',
  '[a](JaVaScRiPt:alert(1))',
  '[a](data:text/html,<script>alert(1)</script>)',
  '[a](https://a.b/"onclick="alert(1))',
  '![a](https://a.b/c.png" onload="x)',
  '[a]( javascript:alert(1))',
])('%s stays text', (text) => {
  expect(markdownOf(text)).toEqual([{ kind: 'paragraph', parts: [{ kind: 'text', text }] }])
})

test.each([
  ['a web page', '[a](https://a.b/c?d=e)', 'https://a.b/c?d=e'],
  ['a mail address', '[a](mailto:a@b.c)', 'mailto:a@b.c'],
])('a link to %s is a link', (_, text, href) => {
  expect(markdownOf(text)).toEqual([{ kind: 'paragraph', parts: [{ kind: 'link', text: 'a', href }] }])
})

test('plain text is not formatted', () => {
  expect(['The page is gone. 2 * 3 * 4', 'a_b_c', 'x - y'].filter(isMarkdown)).toEqual([])
  expect(['# A', '- b', 'a **b** c', '`c`', '1. d'].filter((text) => !isMarkdown(text))).toEqual([])
})

test.each(['[', '`', '**', '*', '```\n', '> ', '- ', '|a|\n', '# '])(
  'a text of many %j is read in linear time',
  (part) => {
    expect(markdownOf(part.repeat(50_000 / part.length)).length).toBeGreaterThan(0)
  },
)
