import { expect, test } from 'vitest'

import { resolveEndpoint } from '../../src/cli/options.js'

test.each([
  ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
  ['http://127.0.0.1:4318/', 'http://127.0.0.1:4318'],
  ['http://127.0.0.1:4318/v1/traces', 'http://127.0.0.1:4318'],
  ['http://127.0.0.1:4318/v1/traces/', 'http://127.0.0.1:4318'],
  ['https://proxy/planspan/', 'https://proxy/planspan'],
  ['https://proxy/v1/traces-of-mine', 'https://proxy/v1/traces-of-mine'],
])('%s names the server %s', (asked, url) => {
  expect(resolveEndpoint(asked)).toBe(url)
})

test.each(['http://me:secret@127.0.0.1:4318', 'http://me:secret/@127.0.0.1:4318', 'me:secret@127.0.0.1:4318'])(
  'the user and password in %s are refused and not told',
  (asked) => {
    expect(() => resolveEndpoint(asked)).toThrowError(/^"[^"]*@127\.0\.0\.1:4318" is no endpoint.*without a user/)
    expect(() => resolveEndpoint(asked)).not.toThrowError(/secret/)
  },
)
