import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, vi } from 'vitest'

import { encodeRecords, type EncodedRecord } from '../../src/mapping/index.js'
import { type Span } from '../../src/semconv/index.js'
import { otlpRequests } from '../../src/otlp/index.js'
import type { RunningServer } from '../../src/server/index.js'
import type { PlanJson } from '../../src/wire/index.js'
import { encodeRequest, type RequestJson } from '../otlp/encode-request.js'
import { sendHttp } from './send.js'
import { readRecord } from './two-roads.js'

const sample = readFileSync(new URL('../fixtures/lynxe/details-waiting-input.json', import.meta.url), 'utf8')
const SENDERS = 8
const RETRY_MS = 50
const RESENT_EVERY = 10

/** Different records of one plan each, `name-0`, `name-1` and so on, with a user's request of the given length. */
export const makeRecords = (name: string, count: number, requestChars = 4): EncodedRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const text = sample
      .replaceAll('plan-1767061562002', `${name}-${index}`)
      .replace('"userRequest":"Form"', `"userRequest":"${'?'.repeat(requestChars)}"`)
    return [...encodeRecords(Buffer.from(text))][0]!
  })

/**
 * Sends each record as a request until it is acknowledged, as OTLP clients do, several at once, and some a second time,
 * like a client that lost the response. `onAcknowledged` receives the number of acknowledged requests.
 */
export async function sendAll(
  url: string,
  records: readonly EncodedRecord[],
  onAcknowledged: (count: number) => void = () => {},
): Promise<void> {
  const waiting = records.flatMap((record, index) => (index % RESENT_EVERY === 0 ? [record, record] : [record]))
  let acknowledged = 0
  const sender = async () => {
    for (let record = waiting.shift(); record !== undefined; record = waiting.shift()) {
      while (!(await isAcknowledged(url, requestOf(record.spans)))) await setTimeout(RETRY_MS)
      acknowledged += 1
      onAcknowledged(acknowledged)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
}

/** Spans as one OTLP request, in protobuf. */
export function requestOf(spans: readonly Span[]): Uint8Array {
  const texts = [...otlpRequests(spans, { serviceName: 'load' })].map(({ text }) => JSON.parse(text) as RequestJson)
  return encodeRequest({ resourceSpans: texts.flatMap(({ resourceSpans }) => resourceSpans) })
}

const isAcknowledged = (url: string, body: Uint8Array): Promise<boolean> =>
  sendHttp(url, body, { type: 'application/x-protobuf', signal: AbortSignal.timeout(10_000) }).then(
    () => true,
    () => false,
  )

/**
 * Waits until a server lists all plans of one `makeRecords`, each once with all its spans; returns the number of
 * records that it then returns whole, byte for byte.
 */
export async function countWhole(
  server: Pick<RunningServer, 'url'>,
  records: readonly EncodedRecord[],
): Promise<number> {
  const expected = records.map(({ planId, spans }) => `${planId} ${spans.length}`).sort()
  const name = records[0]!.planId.replace(/\d+$/, '')
  const found = async () => (await listed(server)).filter((plan) => plan.startsWith(name))
  await vi.waitFor(async () => expect(await found()).toEqual(expected), { timeout: 60_000, interval: 250 })
  let whole = 0
  for (const { planId, text } of records) {
    const read = await readRecord(server, planId)
    if (read.verdict === 'complete' && read.text === text) whole += 1
  }
  return whole
}

async function listed({ url }: Pick<RunningServer, 'url'>): Promise<string[]> {
  const plans: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const response = await fetch(`${url}/api/records?limit=1000${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    if (!response.ok) throw new Error(await response.text())
    const page = (await response.json()) as { records: PlanJson[]; nextCursor: string | null }
    plans.push(...page.records.map(({ planId, spans }) => `${planId} ${spans}`))
    cursor = page.nextCursor
  }
  return plans.sort()
}
