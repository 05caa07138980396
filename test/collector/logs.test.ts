import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'

import { countLogs, logs } from '../otlp/arbitrary-logs.js'
import { encodeLogs, type LogsJson } from '../otlp/encode-logs.js'
import { logRows, type Landing } from '../store/ingest/landing.js'
import { settled } from './row-differences.js'
import { sendHttp } from './send.js'
import { openTwoRoads, type TwoRoads } from './two-roads.js'

const seed = Math.trunc(Math.random() * 2 ** 31)
/** A time that the collector's ClickHouse client and planspan treat differently: see odd-times.test.ts. */
const LAST = String(2n ** 63n - 1n)
const isStored = ({ timeUnixNano = '0', observedTimeUnixNano = '0' }) =>
  timeUnixNano !== LAST && observedTimeUnixNano !== LAST
const requests: LogsJson[] = fc.sample(logs, { numRuns: 300, seed }).map(({ resourceLogs }) => ({
  resourceLogs: resourceLogs.map(({ scopeLogs, ...rest }) => ({
    ...rest,
    ...(scopeLogs && {
      scopeLogs: scopeLogs.map(({ logRecords, ...scope }) => ({
        ...scope,
        ...(logRecords && { logRecords: logRecords.filter(isStored) }),
      })),
    }),
  })),
}))
const count = countLogs(requests)

let roads: TwoRoads

beforeAll(async () => {
  roads = await openTwoRoads()
})
afterAll(() => roads.close())
beforeEach(async () => {
  for (const { stored } of [roads.bridge, roads.direct]) {
    await stored.command(`TRUNCATE TABLE ${stored.database}.otel_logs`)
    await stored.command(`TRUNCATE TABLE ${stored.database}.otel_traces`)
  }
})

const encode = {
  'application/x-protobuf': encodeLogs,
  'application/json': (request: LogsJson) => Buffer.from(JSON.stringify(request)),
}

it.each(['application/x-protobuf', 'application/json'] as const)(
  'the collector and the receiver write the same rows for the same logs: %s',
  async (type) => {
    const { bridge, direct } = roads
    for (const url of [bridge.url, direct.url]) {
      await Promise.all(requests.map((body) => sendHttp(url, encode[type](body), { type, of: 'logs', gzip: true })))
    }
    await fetch(`${direct.url}/api/records?limit=1`)
    expect(await direct.stored.count('otel_logs')).toBe(count)
    await vi.waitFor(async () => expect(await bridge.stored.count('otel_logs')).toBe(count), {
      timeout: 60_000,
      interval: 100,
    })
    const [collector, receiver] = await Promise.all([bridge.stored, direct.stored].map(settledRows))
    const differing = (collector ?? []).flatMap((row, at) =>
      row === receiver?.[at] ? [] : [{ row, other: receiver?.[at] }],
    )
    expect(differing.slice(0, 3), `seed ${seed}`).toEqual([])
    const events = ({ scalar, database }: Landing) => scalar(`SELECT count() FROM ${database}.otel_traces FINAL`)
    expect(Number(await events(bridge.stored))).toBeGreaterThan(20)
    expect(await events(bridge.stored)).toBe(await events(direct.stored))
  },
)

const settledRows = async (landing: Landing): Promise<string[]> =>
  (await logRows(landing)).map((row) => JSON.stringify(row.map(settled))).sort()
