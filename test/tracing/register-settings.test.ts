import { context, trace } from '@opentelemetry/api'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { RegisterOptions } from '../../src/tracing/index.js'
import { startReceiver } from './otlp-receiver.js'

// Each invalid setting is logged once, and the agent continues.

const said = vi.hoisted(() => {
  const lines: string[] = []
  // Before the API is loaded, since it captures the console's methods at that time.
  for (const level of ['error', 'warn'] as const) {
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => void lines.push(words.join(' ')))
  }
  return lines
})

let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeEach(async () => {
  receiver = await startReceiver()
  said.length = 0
  vi.resetModules()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  trace.disable()
  context.disable()
  await receiver.close()
})

const tracing = () => import('../../src/tracing/index.js')

/** Registers, runs a plan and shuts down, like an agent that awaits every step. */
const runAgent = async (options: object | null) => {
  const { register, plan } = await tracing()
  const { forceFlush, shutdown } = await register(options as RegisterOptions)
  const result = await plan({ workflow: 'w' }, async (p) => p.agent({ name: 'a' }, async () => 'done'))
  await forceFlush()
  await shutdown()
  return result
}

test.each([
  ['endpoint is "127.0.0.1:4318"', { endpoint: '127.0.0.1:4318' }, {}],
  ['endpoint is "localhost:4318"', { endpoint: 'localhost:4318' }, {}],
  ['endpoint is "http://"', { endpoint: 'http://' }, {}],
  ['endpoint is 4318', { endpoint: 4318 }, {}],
  ['url is "ftp://127.0.0.1/v1/traces"', { url: 'ftp://127.0.0.1/v1/traces' }, {}],
  ['OTEL_EXPORTER_OTLP_ENDPOINT is "127.0.0.1:4318"', {}, { OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is "/t"', {}, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '/t' }],
  ['the header "my key"', { headers: { 'my key': 'k' } }, {}],
  ['the header "authorization"', { headers: { authorization: 'Bearer k\n' } }, {}],
  ['the header "my key"', {}, { OTEL_EXPORTER_OTLP_HEADERS: 'my key=k' }],
  ['keys.map is not a function', { redact: { keys: 'iban' } }, {}],
  ['null', null, {}],
] as const)('%s: nothing is recorded', async (words, options, env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  await expect(runAgent(options)).resolves.toBe('done')
  expect(trace.getTracer('t').startSpan('s').isRecording()).toBe(false)
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('nothing is recorded')
  expect(said[0]).toContain(words)
})

test.each([
  ['maxQueueSize cannot be "many"', { maxQueueSize: 'many' }, {}],
  ['maxQueueSize cannot be -1', { maxQueueSize: -1 }, {}],
  ['maxRequestBytes cannot be NaN', { maxRequestBytes: Number.NaN }, {}],
  ['scheduledDelayMillis cannot be Infinity', { scheduledDelayMillis: Number.POSITIVE_INFINITY }, {}],
  ['exitFlushMillis cannot be -5', { exitFlushMillis: -5 }, {}],
  ['heartbeatMillis cannot be 0', { snapshots: { heartbeatMillis: 0 } }, {}],
  ['serviceName cannot be an object', { serviceName: {} }, {}],
  ['OTEL_BSP_MAX_QUEUE_SIZE cannot be "many"', {}, { OTEL_BSP_MAX_QUEUE_SIZE: 'many' }],
  ['OTEL_BSP_SCHEDULE_DELAY cannot be -1', {}, { OTEL_BSP_SCHEDULE_DELAY: '-1' }],
  ['OTEL_BSP_EXPORT_TIMEOUT cannot be "1s"', {}, { OTEL_BSP_EXPORT_TIMEOUT: '1s' }],
  ['OTEL_TRACES_SAMPLER cannot be "some"', {}, { OTEL_TRACES_SAMPLER: 'some' }],
  ['OTEL_TRACES_SAMPLER_ARG cannot be 2', {}, { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }],
  ['OTEL_LOG_LEVEL cannot be "LOUD"', {}, { OTEL_LOG_LEVEL: 'loud' }],
] as const)('%s: the default is used', async (words, options, env) => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  await expect(runAgent({ endpoint: receiver.endpoint, ...options })).resolves.toBe('done')
  expect(receiver.spanNames().toSorted()).toEqual(['invoke_agent a', 'invoke_workflow w'])
  expect(said).toHaveLength(1)
  expect(said[0]).toContain(words)
})

test('a token overrides a header of the same name in any spelling', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'Authorization=Basic%20abc,x-a=1')
  await runAgent({ endpoint: receiver.endpoint, token: 'planspan_t' })
  expect(receiver.requests[0]?.headers).toMatchObject({ authorization: 'Bearer planspan_t', 'x-a': '1' })
})

test('content is not captured if the setting is invalid', async () => {
  const { register, plan } = await tracing()
  const { shutdown } = await register({ endpoint: receiver.endpoint, captureContent: 'no' as unknown as boolean })
  plan({ workflow: 'w', title: 'between us' }, () => undefined)
  await shutdown()
  expect(receiver.spanNames()).toEqual(['invoke_workflow w'])
  expect(receiver.requests[0]?.body).not.toContain('between us')
  expect(said).toEqual([expect.stringContaining('captureContent cannot be "no"')])
})

const NAMES = [
  'token',
  'headers',
  'serviceName',
  'redact',
  'captureContent',
  'maxRequestBytes',
  'maxQueueSize',
  'scheduledDelayMillis',
  'snapshots',
  'exitFlushMillis',
] as const satisfies (keyof RegisterOptions)[]

test('the agent continues with any options', async () => {
  const { endpoint } = receiver
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...NAMES), fc.anything()), async (options) => {
      vi.resetModules()
      await expect(runAgent({ ...options, endpoint })).resolves.toBe('done')
    }),
    { numRuns: 25 },
  )
})
