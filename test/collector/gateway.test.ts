import { credentials, status } from '@grpc/grpc-js'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'

import { startServer, type RunningServer } from '../../src/server/index.js'
import { freshLanding, type Landing } from '../store/ingest/landing.js'
import { startCollector, type Collector } from './collector.js'
import { CERTIFICATE, gatewayEnvironment, TOKEN } from './gateway-environment.js'
import { countWhole, makeRecords, requestOf, sendAll } from './load.js'
import { grpcSender } from './send.js'

const certificate = readFileSync(CERTIFICATE)

let directory: string
let stored: Landing
let server: RunningServer
let gateways: Collector[]
let agent: Collector

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'planspan-gateway-'))
  const token = join(directory, 'token')
  await writeFile(token, TOKEN)
  const env = await gatewayEnvironment(directory)
  stored = await freshLanding()
  server = await startServer({ clickhouse: stored.url, database: stored.database, port: 0 })
  const startGateway = () =>
    startCollector({
      configs: ['gateway.yaml'],
      clickhouse: { ...stored, nativePort: inject('clickhouseNativePort') },
      env,
    })
  gateways = [await startGateway(), await startGateway()]
  agent = await startCollector({
    configs: ['agent.yaml', 'to-gateway.yaml'],
    env: {
      GATEWAY_ENDPOINT: gateways[0]!.grpc,
      GATEWAY_CA_FILE: CERTIFICATE,
      BEARER_TOKEN_FILE: token,
    },
  })
})
afterAll(async () => {
  for (const collector of [agent, ...gateways]) await collector.remove()
  await server.close()
  await stored.drop()
  await rm(directory, { recursive: true })
})

const secure = (gateway: Collector, authorization?: string) =>
  grpcSender(gateway.grpc.replace('127.0.0.1', 'localhost'), {
    channel: credentials.createSsl(certificate),
    metadata: authorization === undefined ? {} : { authorization },
  })

describe('the gateway', () => {
  it('rejects clients without a token, over gRPC and HTTP', async () => {
    for (const authorization of [undefined, 'Bearer wrong']) {
      const sender = secure(gateways[0]!, authorization)
      await expect(sender.send(new Uint8Array())).rejects.toMatchObject({ code: status.UNAUTHENTICATED })
      sender.close()
    }
    const [host, port] = new URL(gateways[0]!.url).host.split(':')
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      request(
        {
          host,
          port,
          path: '/v1/traces',
          method: 'POST',
          ca: certificate,
          headers: { 'content-type': 'application/json' },
        },
        (response) => resolve(response.resume().statusCode),
      )
        .on('error', reject)
        .end('{}')
    })
    expect(answer).toBe(401)
  })

  it('accepts the SDK’s exporter with a token, over HTTPS', async () => {
    const exporter = new OTLPTraceExporter({
      url: `${gateways[0]!.url.replace('http:', 'https:')}/v1/traces`,
      headers: { authorization: `Bearer ${TOKEN}` },
      httpAgentOptions: { ca: certificate },
    })
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const span = provider.getTracer('test').startSpan('over HTTPS')
    span.end()
    await provider.shutdown()
    const { traceId } = span.spanContext()
    await vi.waitFor(
      async () =>
        expect(
          await stored.scalar(`SELECT SpanName FROM ${stored.database}.otel_traces WHERE TraceId = '${traceId}'`),
        ).toBe('over HTTPS'),
      { timeout: 60_000, interval: 100 },
    )
  })

  it('needs no balancing by trace: spans of one plan go through different gateways', async () => {
    const records = makeRecords('split', 20)
    const senders = gateways.map((gateway) => secure(gateway, `Bearer ${TOKEN}`))
    for (const { spans } of records) {
      const parts = spans.map((span, index) => senders[index % 2]!.send(requestOf([span])))
      await Promise.all(parts)
    }
    for (const sender of senders) sender.close()
    expect(await countWhole(server, records)).toBe(records.length)
  })
})

describe('an agent before a gateway', () => {
  it('keeps accepted spans while the gateway is gone, and loses nothing when both are killed', async () => {
    const records = makeRecords('forwarded', 60)
    await sendAll(agent.url, records.slice(0, 20))
    await gateways[0]!.end('SIGKILL')
    await sendAll(agent.url, records.slice(20))
    await agent.end('SIGKILL')
    await agent.start()
    await gateways[0]!.start()
    expect(await countWhole(server, records)).toBe(records.length)
  })

  it('drops spans permanently that a gateway rejects for their token, and counts them', async () => {
    const wrong = join(directory, 'wrong')
    await writeFile(wrong, 'wrong')
    const stranger = await startCollector({
      configs: ['agent.yaml', 'to-gateway.yaml'],
      env: {
        GATEWAY_ENDPOINT: gateways[0]!.grpc,
        GATEWAY_CA_FILE: CERTIFICATE,
        BEARER_TOKEN_FILE: wrong,
      },
    })
    const records = makeRecords('refused', 1)
    await sendAll(stranger.url, records.slice(0, 1))
    const lost = async () =>
      [...(await stranger.metrics())].find(([name]) => name.startsWith('otelcol_exporter_send_failed_spans'))?.[1]
    await vi.waitFor(async () => expect(await lost()).toBeGreaterThan(0), { timeout: 60_000 })
    await stranger.remove()
  })
})
