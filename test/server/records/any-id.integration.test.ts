import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { type Client, createClient, pagePath } from '../../../src/client/index.js'
import { type RunningServer, startServer } from '../../../src/server/index.js'
import { runCli } from '../../cli/run-cli.js'
import { type Assistant, startAssistant } from '../../mcp/assistant.js'
import { freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'

const details = readFileSync(new URL('../../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
const { currentPlanId } = JSON.parse(details) as { currentPlanId: string }

/** The record with another id. */
const renamed = (id: string): string => details.replaceAll(currentPlanId, JSON.stringify(id).slice(1, -1))

let fresh: FreshDatabase
let server: RunningServer
let client: Client
let assistant: Assistant

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ port: 0, clickhouse: fresh.url, database: fresh.database })
  client = createClient({ endpoint: server.url })
  assistant = await startAssistant('http', server.url)
}, 60_000)
afterAll(async () => {
  await assistant.close()
  await server.close()
  await fresh.drop()
})

test.each(['a/b', '..', '.', '%2F', '?', '#', ' ', '😀 é', '~', '~a%2Fb', 'a\\b'])(
  'the record %j is read by the client, the command line, the tools and the page',
  async (id) => {
    await client.import(renamed(id), { source: 'ids' })
    const { bytes } = await client.record(id)
    expect(new TextDecoder().decode(bytes)).toBe(renamed(id))
    const spans = await client.spans(id)
    expect(await client.span(id, spans[0]!.spanId)).toEqual(spans[0])

    const shown = await runCli(['show', id, '--json', '--endpoint', server.url])
    expect([shown.code, shown.stdout.toString()]).toEqual([0, renamed(id)])

    expect(await assistant.ask('read_plan', { planId: id })).toMatchObject({ spansInAll: spans.length })

    const page = await fetch(server.url + pagePath({ planId: id }))
    const links = [...(page.headers.get('link') ?? '').matchAll(/<([^>]*)>/g)].map(([, link = '']) => link)
    expect(links).toHaveLength(2)
    for (const link of links) expect((await fetch(new URL(link, page.url))).status).toBe(200)
  },
)

test('an empty id and a very long id are valid', async () => {
  await expect(client.record('')).rejects.toThrow('No plan and no step "" is stored')
  await expect(assistant.ask('read_plan', { planId: '' })).rejects.toThrow('No plan and no step "" is stored')
  const shown = await runCli(['show', '', '--endpoint', server.url])
  expect(shown.err).toContain('No plan and no step "" is stored')
  const long = 'x'.repeat(60_000)
  await client.import(renamed(long))
  expect((await client.record(long)).verdict).toBe('complete')
})
