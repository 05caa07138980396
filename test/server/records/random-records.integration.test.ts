import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'

import {
  decodeRecord,
  encodeRecords,
  toStoredSpan,
  type DialectName,
  type EncodedRecord,
} from '../../../src/mapping/index.js'
import { DEFAULT_YEARS, spanTimesOf } from '../../../src/semconv/index.js'
import { startServer, type RunningServer } from '../../../src/server/index.js'
import { createSpanSender } from '../../../src/sender/index.js'
import { freshDatabase, type FreshDatabase } from '../../support/clickhouse.js'
import { messyRecord } from '../../support/messy-records.js'
import { messyTraj, messyTrajectory } from '../../support/messy-trajectories.js'
import { SERIALISATIONS, session } from '../../support/plan-act-records.js'
import { firstPlan, lynxeAgent, lynxePlan } from '../../support/plan-execution-records.js'
import { plannerRuns } from '../../support/review-log-records.js'
import { trajectoryText, trajText } from '../../support/trajectory-records.js'

const json = (record: fc.Arbitrary<object>) => record.map((value) => JSON.stringify(value))

const RECORDS: readonly (readonly [DialectName, fc.Arbitrary<string>, count: number])[] = [
  ['plan-execution', json(lynxePlan), 12],
  ['plan-execution', json(fc.oneof(lynxeAgent, firstPlan)), 18],
  ['plan-execution', messyRecord, 20],
  ['trajectory', fc.oneof(trajectoryText, messyTrajectory), 35],
  ['trajectory:traj', fc.oneof(trajText, messyTraj), 30],
  ['review-log', fc.oneof(...Object.values(plannerRuns)), 40],
  ['plan-act:events', session.map(SERIALISATIONS.redis), 8],
  ['plan-act:events', session.map(SERIALISATIONS.domain), 8],
  ['plan-act:events', session.map(SERIALISATIONS.websocket), 8],
  ['plan-act:sse', session.map((events) => SERIALISATIONS.sse(events)), 11],
  ['plan-act:session', session.map((events) => SERIALISATIONS.session(events)), 10],
]
const READS_AT_ONCE = 8

let fresh: FreshDatabase
let server: RunningServer

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await startServer({ clickhouse: fresh.url, database: fresh.database, port: 0 })
})
afterAll(async () => {
  await server.close()
  await fresh.drop()
})

test('returns 200 random records of all dialects, sent over OTLP, byte for byte', async () => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const times = spanTimesOf(DEFAULT_YEARS, Date.now())
  const records = RECORDS.flatMap(([format, arbitrary, count]) =>
    fc
      .sample(arbitrary, { numRuns: count, seed })
      .flatMap((text, index) => [...encodeRecords(Buffer.from(text), { format, source: `${format} ${index}`, times })]),
  )
  expect(records.length).toBeGreaterThanOrEqual(200)
  const sender = createSpanSender({ url: `${server.url}/v1/traces` })
  const { rejected, reasons } = await sender.send(records.flatMap(({ spans }) => spans))
  expect({ rejected, reasons }).toEqual({ rejected: 0, reasons: [] })

  const readBack = async ({ planId, traceId, text, dialect, source, spans }: EncodedRecord) => {
    const query = new URLSearchParams({ trace: traceId, source })
    const response = await fetch(`${server.url}/api/records/${encodeURIComponent(planId)}?${query}`)
    const read = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
    const verdict = response.headers.get('planspan-verdict')
    return read === text && verdict === decodeRecord(spans.map(toStoredSpan))?.verdict
      ? []
      : [{ seed, dialect, status: response.status, verdict, text, read }]
  }
  const different: object[] = []
  for (let at = 0; at < records.length; at += READS_AT_ONCE) {
    different.push(...(await Promise.all(records.slice(at, at + READS_AT_ONCE).map(readBack))).flat())
  }
  expect(different).toEqual([])
}, 120_000)
