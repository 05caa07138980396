import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { type RunningServer, startServer } from '../../src/server/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { livePlan } from '../server/live-plan.js'
import { freshDatabase, type FreshDatabase } from '../support/clickhouse.js'
import { testTokens, type TestTokens } from '../support/token-file.js'
import { type Collector, startCollector } from './collector.js'
import { startJaeger } from './jaeger.js'

let fresh: FreshDatabase
let tokens: TestTokens
let ingest: string
let read: string
let server: RunningServer
let collector: Collector

beforeAll(async () => {
  fresh = await freshDatabase()
  tokens = testTokens()
  ingest = await tokens.make('collector', { scopes: ['ingest'] })
  read = await tokens.make('jaeger', { scopes: ['read'] })
  const { url: clickhouse, database } = fresh
  server = await startServer({ port: 0, grpcPort: 0, jaegerPort: 0, clickhouse, database, tokensFile: tokens.path })
  collector = await startCollector({
    configs: [
      'agent.yaml',
      `yaml:exporters::otlp_grpc/planspan::endpoint: ${new URL(server.grpcUrl ?? '').host}`,
      'yaml:exporters::otlp_grpc/planspan::tls::insecure: true',
      "yaml:exporters::otlp_grpc/planspan::headers::authorization: 'Bearer ${env:PLANSPAN_TOKEN}'",
      'yaml:service::pipelines::traces::exporters: [otlp_grpc/planspan]',
    ],
    env: { PLANSPAN_TOKEN: ingest },
  })
}, 120_000)
afterAll(async () => {
  await collector.remove()
  await server.close()
  tokens[Symbol.dispose]()
  await fresh.drop()
})

it('a collector sends with its token, and Jaeger reads with its own token and scope', async () => {
  const ids = { traceId: 'a'.repeat(32), planId: 'plan', subPlanId: 'below', stepId: 'step' }
  await createSpanSender({ url: `${collector.url}/v1/traces` }).send(livePlan(ids))
  const PLANSPAN_JAEGER = server.jaegerEndpoint ?? ''
  const jaeger = await startJaeger('jaeger-remote-storage.yaml', { PLANSPAN_JAEGER, PLANSPAN_TOKEN: read })
  await vi.waitFor(async () => expect((await jaeger.get<unknown[]>('/api/services')).length).toBeGreaterThan(0), {
    timeout: 30_000,
  })
  await jaeger.end()
  const stranger = await startJaeger('jaeger-remote-storage.yaml', { PLANSPAN_JAEGER, PLANSPAN_TOKEN: ingest })
  await expect(stranger.get('/api/services')).rejects.toThrow(/scope read/)
  await stranger.end()
})
