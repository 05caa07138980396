import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { receive, type Encoding } from '../../../src/otlp/index.js'
import { createStoreClient } from '../../../src/store/client/client.js'
import { migrate } from '../../../src/store/schema/migrate.js'
import { freshDatabase } from '../../support/clickhouse.js'
import { logs } from '../../otlp/arbitrary-logs.js'
import { encodeLogs, type LogsJson } from '../../otlp/encode-logs.js'
import { freshLanding, logRows, type Landing } from './landing.js'

let landing: Landing

beforeAll(async () => {
  landing = await freshLanding()
})
afterAll(() => landing.drop())
afterEach(() => landing.command(`TRUNCATE TABLE ${landing.database}.otel_logs`))

const encode = {
  json: (request: LogsJson) => Buffer.from(JSON.stringify(request)),
  protobuf: encodeLogs,
}

async function store(encoding: Encoding, request: LogsJson): Promise<void> {
  const received = receive(encoding, encode[encoding](request), { signal: 'logs' })
  if (!received.ok) throw new Error(received.message)
  expect(await landing.writer().write(received.request)).toEqual({ rejectedSpans: 0, errorMessage: '' })
}

const whole: LogsJson = {
  resourceLogs: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'agent' } }] },
      schemaUrl: 'https://opentelemetry.io/schemas/1.40.0',
      scopeLogs: [
        {
          scope: { name: 's', version: '1', attributes: [{ key: 'n', value: { intValue: '7' } }] },
          schemaUrl: 'https://opentelemetry.io/schemas/1.41.0',
          logRecords: [
            {
              timeUnixNano: '1763800000000000001',
              observedTimeUnixNano: '1763800000000000002',
              severityNumber: 9,
              severityText: 'INFO',
              body: { kvlistValue: { values: [{ key: 'b', value: { arrayValue: { values: [{ intValue: '1' }] } } }] } },
              attributes: [
                { key: 'z', value: { boolValue: true } },
                { key: 'a', value: { arrayValue: { values: [{ stringValue: 'x' }, { doubleValue: 0.5 }] } } },
              ],
              flags: 257,
              traceId: '0123456789abcdef0123456789abcdef',
              spanId: '0123456789abcdef',
              eventName: 'gen_ai.evaluation.result',
            },
            { observedTimeUnixNano: '1763800000000000003', traceId: '0'.repeat(32), spanId: '' },
            {},
          ],
        },
      ],
    },
  ],
}

const inAll = ['agent', 'https://opentelemetry.io/schemas/1.40.0', [['service.name', 'agent']]]
const inScope = ['https://opentelemetry.io/schemas/1.41.0', 's', '1', [['n', '7']]]

it.each(['protobuf', 'json'] as const)('logs as %s become the rows of the collector’s exporter', async (encoding) => {
  await store(encoding, whole)
  expect(await logRows(landing)).toEqual([
    ['0', '', '', 0, '', 0, '', ...inAll, ...inScope, [], ''],
    [
      '1763800000000000001',
      '0123456789abcdef0123456789abcdef',
      '0123456789abcdef',
      1,
      'INFO',
      9,
      '{"b":[1]}',
      ...inAll,
      ...inScope,
      [
        ['a', '["x",0.5]'],
        ['z', 'true'],
      ],
      'gen_ai.evaluation.result',
    ],
    ['1763800000000000003', '', '', 0, '', 0, '', ...inAll, ...inScope, [], ''],
  ])
})

it('any logs become the same rows as protobuf and as JSON', async () => {
  for (const request of fc.sample(logs, { numRuns: 40, seed: 20 })) {
    const stored: unknown[] = []
    for (const encoding of ['protobuf', 'json'] as const) {
      const received = receive(encoding, encode[encoding](request), { signal: 'logs' })
      if (!received.ok) throw new Error(received.message)
      await landing.writer().write(received.request)
      stored.push(await logRows(landing))
      await landing.command(`TRUNCATE TABLE ${landing.database}.otel_logs`)
    }
    expect(stored[0]).toEqual(stored[1])
  }
}, 60_000)

it('logs that a collector stored before the tables of planspan become events of their spans', async () => {
  const fresh = await freshDatabase()
  const client = createStoreClient({ url: fresh.url })
  const table = `${fresh.database}.otel_logs`
  const map = 'Map(LowCardinality(String), String)'
  const run = (query: string) => client.command({ query })
  try {
    // The table of an older exporter: without event names, and with other types of numbers.
    await run(`CREATE TABLE ${table} (Timestamp DateTime64(9), TimestampTime DateTime DEFAULT toDateTime(Timestamp),
      TraceId String, SpanId String, TraceFlags UInt32, SeverityText LowCardinality(String), SeverityNumber Int32,
      ServiceName LowCardinality(String), Body String, ResourceSchemaUrl String, ResourceAttributes ${map},
      ScopeSchemaUrl String, ScopeName String, ScopeVersion String, ScopeAttributes ${map}, LogAttributes ${map})
      ENGINE = MergeTree PARTITION BY toDate(TimestampTime) ORDER BY (ServiceName, Timestamp)`)
    const insert = (name: string) =>
      run(`INSERT INTO ${table} (Timestamp, TraceId, SpanId, LogAttributes)
        VALUES ('2026-01-02 03:04:05', '${'a'.repeat(32)}', '${'b'.repeat(16)}', map('event.name', '${name}'))`)
    await insert('before')
    await migrate(client, { database: fresh.database })
    await insert('after')
    await insert('')
    const query = `SELECT SpanName AS name, ParentSpanId AS parent FROM ${fresh.database}.otel_traces ORDER BY name`
    const rows = await (await client.query({ query, format: 'JSONEachRow' })).json()
    expect(rows).toEqual(['after', 'before'].map((name) => ({ name, parent: 'b'.repeat(16) })))
    await run(`ALTER TABLE ${table} MODIFY COLUMN Body LowCardinality(String)`)
    const again = migrate(client, { database: fresh.database })
    await expect(again).rejects.toMatchObject({ code: 'schema_mismatch' })
  } finally {
    await client.close()
    await fresh.drop()
  }
})
