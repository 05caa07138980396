import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { encodeRecords } from '../../src/mapping/index.js'
import { createSpanSender } from '../../src/sender/index.js'
import { requestOf } from './load.js'
import { grpcSender } from './send.js'
import { openTwoRoads, readRecord, type TwoRoads } from './two-roads.js'

const fixtures = new URL('../fixtures/', import.meta.url)

/** The sample files of all dialects, without a system's printed output about records. */
const files = ['lynxe', 'plan-act', 'review-log', 'seeds', 'trajectory'].flatMap((system) =>
  readdirSync(new URL(system, fixtures), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/README\.md$|_output\.example\.json$/.test(entry.name))
    .map((entry) => `${entry.parentPath}/${entry.name}`),
)

let roads: TwoRoads

beforeAll(async () => {
  roads = await openTwoRoads()
})
afterAll(() => roads.close())

const encode = (over: string) =>
  files.flatMap((file) => [...encodeRecords(readFileSync(file), { source: `${over} ${file}` })])

type Records = ReturnType<typeof encode>

const spansOf = (records: Records) => records.flatMap(({ spans }) => spans)

const overHttp = async (records: Records) => {
  const { rejected, reasons } = await createSpanSender({ url: `${roads.bridge.url}/v1/traces` }).send(spansOf(records))
  expect({ rejected, reasons }).toEqual({ rejected: 0, reasons: [] })
}

const overGrpc = async (records: Records) => {
  const grpc = grpcSender(roads.bridge.collector.grpc, { gzip: true })
  for (const { spans } of records) await grpc.send(requestOf(spans))
  grpc.close()
}

describe('every sample record is returned byte for byte, as on the direct route', () => {
  it.each([
    ['HTTP', overHttp],
    ['gRPC', overGrpc],
  ])('sent to the collector over %s', async (over, send) => {
    const records = encode(over)
    expect(new Set(records.map(({ dialect }) => dialect)).size).toBe(7)
    await createSpanSender({ url: `${roads.direct.url}/v1/traces` }).send(spansOf(records))
    await send(records)
    await roads.settled()
    for (const { planId, traceId, source, text } of records) {
      const query = { trace: traceId, source }
      const bridged = { source, ...(await readRecord(roads.bridge.server, planId, query)) }
      expect(bridged).toEqual({ source, ...(await readRecord(roads.direct.server, planId, query)) })
      expect(bridged).toMatchObject({ status: 200, verdict: 'complete', text })
    }
  })
})
