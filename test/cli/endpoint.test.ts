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
