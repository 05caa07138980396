import { expect, test } from 'vitest'

import { serverUrl } from '../../src/cli/server/resolve-server.js'

test.each([
  ['http://127.0.0.1:4318', 'http://127.0.0.1:4318'],
  ['http://127.0.0.1:4318/', 'http://127.0.0.1:4318'],
  ['http://127.0.0.1:4318/v1/traces', 'http://127.0.0.1:4318'],
  ['http://127.0.0.1:4318/v1/traces/', 'http://127.0.0.1:4318'],
  ['https://proxy/planspan/', 'https://proxy/planspan'],
  ['https://proxy/v1/traces-of-mine', 'https://proxy/v1/traces-of-mine'],
])('%s resolves to the server %s', (asked, url) => {
  expect(serverUrl(asked, '--endpoint')).toBe(url)
})

test.each(['http://me:secret@127.0.0.1:4318', 'http://me:secret/@127.0.0.1:4318', 'me:secret@127.0.0.1:4318'])(
  'the user and password in %s are rejected and not revealed',
  (asked) => {
    const name = () => serverUrl(asked, 'PLANSPAN_ENDPOINT')
    expect(name).toThrowError(
      /^"[^"]*@127\.0\.0\.1:4318" is not a valid endpoint \(PLANSPAN_ENDPOINT\).*without a user/,
    )
    expect(name).not.toThrowError(/secret/)
  },
)
