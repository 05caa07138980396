import { expect, onTestFinished, test, vi } from 'vitest'

import { temporaryDirectory } from '../clickhouse/temporary-directory.js'
import { encodeRequest } from '../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'
import { execute } from '../support/clickhouse.js'
import { processesIn } from './processes-in.js'
import { startServe, type Serving } from './run-cli.js'

const TRACE_ID = 'c'.repeat(32)
const PLAN = [
  { key: 'planspan.plan.id', value: { stringValue: 'plan-1' } },
  { key: 'planspan.span.kind', value: { stringValue: 'tool' } },
]

async function send(url: string, number: number): Promise<boolean> {
  const body = encodeRequest(makeRequest([makeSpan(number, { traceId: TRACE_ID, attributes: PLAN })]))
  const headers = { 'content-type': 'application/x-protobuf' }
  const request = { method: 'POST', headers, body: new Uint8Array(body) }
  return fetch(`${url}/v1/traces`, request).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The names of the plan's spans, from the HTTP interface. */
async function spansOf({ line }: Serving): Promise<string[]> {
  const answer = await fetch(`${line.url}/api/records/plan-1/spans`)
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { spans: { name: string }[] }).spans.map(({ name }) => name)
}

test('kill -9 of serve and of ClickHouse loses no acknowledged span, and duplicates none', async () => {
  const data = temporaryDirectory()
  let serving = await startServe(['--data', data])
  onTestFinished(() => void serving.child.kill('SIGKILL'))
  const acknowledged: string[] = []
  let number = 0
  const sendUntil = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      number++
      if (await send(serving.line.url, number)) acknowledged.push(`span ${number}`)
    }
  }
  for (const round of [1, 2, 3, 4, 5, 6]) {
    // One after another, so that all but the first are acknowledged by the journal.
    const enough = acknowledged.length + 3 + 5 * round
    await sendUntil(() => acknowledged.length >= enough)
    if (round % 2 === 1) {
      await serving.end('SIGKILL')
      await vi.waitFor(() => expect(processesIn(data)).toEqual([]), { timeout: 10_000, interval: 20 })
      serving = await startServe(['--data', data])
    } else {
      for (const pid of processesIn(data)) process.kill(Number(pid), 'SIGKILL')
      await sendUntil(() => acknowledged.length > enough)
    }
    const reported = await spansOf(serving)
    expect(reported).toEqual(expect.arrayContaining(acknowledged))
    expect(new Set(reported).size).toBe(reported.length)
  }
  const counted = await execute(
    serving.clickhouse.url,
    'SELECT count(), uniqExact(SpanName) FROM otel.spans FORMAT TSV',
  )
  const [rows, names] = counted.trim().split('\t')
  expect(rows).toBe(names)
  await serving.end('SIGTERM')
}, 120_000)
