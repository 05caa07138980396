import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'

import { createRecordsClient, type RecordsClient } from '../../src/cli/records-client.js'

let server: Server | undefined
afterEach(() => server?.close())

async function clientOf(status: number, type: string, body: string): Promise<RecordsClient> {
  server = createServer((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return createRecordsClient(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`)
}

const asks: [string, (client: RecordsClient) => Promise<unknown>][] = [
  ['a list', (client) => client.list({}, 10)],
  ['a record', (client) => client.read('x', {})],
  ['spans', (client) => client.spans('x', {})],
  ['events', (client) => client.events('x', {}, { lastEventId: undefined, signal: AbortSignal.timeout(10_000) })],
  ['readiness', (client) => client.readiness()],
]

describe.each([
  [200, 'application/json', '{}'],
  [200, 'application/json', '[1'],
  [200, 'text/html', '<p>'],
  [404, 'application/json', '{"detail":"Not Found"}'],
  [500, 'application/json', '{}'],
])('a server of another kind that answers %i %s %s', (status, type, body) => {
  test.each(asks)('is told from planspan when it is asked for %s', async (_, ask) => {
    const client = await clientOf(status, type, body)
    await expect(ask(client)).rejects.toMatchObject({
      code: 'receiver_unreachable',
      message: expect.stringMatching(
        new RegExp(`^Something answers at http://127.*status ${String(status)}.*no planspan server.*--endpoint`),
      ) as string,
    })
  })
})
