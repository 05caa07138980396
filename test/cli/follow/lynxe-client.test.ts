import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { LynxeClient } from '../../../src/cli/follow/lynxe-client.js'
import { SourceAway } from '../../../src/cli/follow/source.js'

async function clientOf(answer: RequestListener): Promise<LynxeClient> {
  const server = createServer(answer)
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  return new LynxeClient(url, { authorization: 'Bearer abc' }, new AbortController().signal)
}

test('a record with a mark is sent once', async () => {
  const asked: unknown[] = []
  const client = await clientOf(({ headers, url }, response) => {
    asked.push([url, headers['if-none-match'], headers.authorization])
    if (headers['if-none-match'] === '"1"') response.writeHead(304).end()
    else response.writeHead(200, { etag: '"1"' }).end('{"completed":false}')
  })
  for (let n = 0; n < 2; n++) expect(await client.details('a/b')).toEqual({ text: '{"completed":false}' })
  client.forget(['a/b'])
  await client.details('a/b')
  const path = '/api/executor/details/a%2Fb'
  expect(asked).toEqual([
    [path, undefined, 'Bearer abc'],
    [path, '"1"', 'Bearer abc'],
    [path, undefined, 'Bearer abc'],
  ])
})

test.each([
  [404, '', undefined],
  [500, '{"error":"no model"}', { error: '{"error":"no model"}' }],
])('a response %i concerns the plan', async (status, body, expected) => {
  const client = await clientOf((_, response) => response.writeHead(status).end(body))
  expect(await client.details('a')).toEqual(expected)
})

test.each([401, 403, 502, 503])('a response %i concerns the server', async (status) => {
  const client = await clientOf((_, response) => response.writeHead(status).end('Not now'))
  await expect(client.details('a')).rejects.toThrow(SourceAway)
  await expect(client.agentExecution('a')).rejects.toThrow(new RegExp(`it returns ${String(status)}: Not now`))
})

test.each([
  [404, ''],
  [200, '<html>'],
  [200, '{"success":false,"message":"Failed to retrieve memories: x","memories":null}'],
])('a malformed list, status %i and body %s, is rejected', async (status, body) => {
  const client = await clientOf((_, response) => response.writeHead(status).end(body))
  await expect(client.conversations()).rejects.toThrow(/\/api\/memories, returns/)
})
