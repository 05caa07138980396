import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { encodeRecords } from '../../../src/mapping/index.js'
import type { ImportReport, RecordPage } from '../../../src/wire/index.js'
import { startTestApp, type TestApp } from '../test-app.js'

const fixture = (path: string) => readFileSync(new URL(`../../fixtures/${path}`, import.meta.url), 'utf8')

/** Versions of a record that was rewritten while it grew, oldest first. */
interface Growth {
  readonly id: string
  readonly generations: readonly string[]
}

function plan(): Growth {
  const begun = fixture('lynxe/details-waiting-input.json').replaceAll('"plan-1767061562002"', '"plan-grown"')
  const agents = begun
    .replaceAll('"status":"RUNNING"', '"status":"FINISHED"')
    .replaceAll('"status":"IDLE"', '"status":"FINISHED"')
  const done = agents
    .replace('"endTime":null', '"endTime":[2025,12,30,10,27,0,0]')
    .replace('"completed":false', '"completed":true')
    .replace('"waiting":true', '"waiting":false')
  return { id: 'plan-grown', generations: [begun, begun.replace('"summary":null', '"summary":""'), done] }
}

function trajectory(): Growth {
  const whole = JSON.parse(fixture('trajectory/execution_trajectory.json')) as { steps: object[] }
  const generations = whole.steps.map((_, index) =>
    JSON.stringify({ ...whole, steps: whole.steps.slice(0, index + 1) }, null, 2),
  )
  return { id: keyOf(generations[0]!), generations }
}

function session(): Growth {
  const lines = fixture('plan-act/default-mock/redis_output_stream.jsonl').split(/(?<=\n)/)
  const generations = [0.3, 0.7, 1].map((part) => lines.slice(0, Math.ceil(lines.length * part)).join(''))
  return { id: keyOf(generations[0]!), generations }
}

const keyOf = (text: string): string => [...encodeRecords(Buffer.from(text))][0]!.planId

const GROWTHS = { 'a plan': plan(), 'a trajectory': trajectory(), 'a session': session() }

/** Orders of import, by index from the oldest version on. */
const orders = (count: number): number[][] => {
  const ascending = Array.from({ length: count }, (_, index) => index)
  return [ascending, ascending.toReversed(), [...ascending.slice(1), 0]]
}

let server: TestApp

beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.close())

const post = async (source: string, body: string): Promise<ImportReport> => {
  const response = await server.app.request(`/api/records?source=${source}`, { method: 'POST', body })
  expect(response.status).toBe(200)
  return (await response.json()) as ImportReport
}
const show = async (id: string, query: string) => (await server.app.request(`/api/records/${id}?${query}`)).text()
const list = async (query: string) =>
  ((await (await server.app.request(`/api/records?${query}`)).json()) as RecordPage).records

describe.each(Object.entries(GROWTHS))('%s that grew', (name, { id, generations }) => {
  test.each(orders(generations.length).map((order) => ({ order })))(
    'is one record with its newest content, imported in the order $order',
    async ({ order }) => {
      const source = `${name.replace(' ', '-')}-${order.join('')}`
      const traces = new Map<number, string>()
      for (const index of order) {
        const { records } = await post(source, generations[index]!)
        traces.set(index, records[0]!.traceId)
      }
      expect(new Set(traces.values()).size).toBe(generations.length)
      expect(await show(id, `source=${source}`)).toBe(generations.at(-1))
      expect((await list(`source=${source}`)).map(({ planId, traceId }) => [planId, traceId])).toEqual([
        [id, traces.get(generations.length - 1)],
      ])
      expect((await list(`source=${source}&all=true`)).map(({ traceId }) => traceId).sort()).toEqual(
        [...traces.values()].sort(),
      )
      for (const [index, trace] of traces) {
        expect(await show(id, `source=${source}&trace=${trace}`)).toBe(generations[index])
      }
    },
  )
})

test('importing records again, or sending them again in other batches, changes no result and no count', async () => {
  const texts = Object.values(GROWTHS).flatMap(({ generations }) => generations)
  for (const text of texts) await post('again', text)
  const answers = async () => ({
    list: await list('source=again'),
    all: await list('source=again&all=true'),
    shown: await Promise.all(Object.values(GROWTHS).map(({ id }) => show(id, 'source=again'))),
  })
  const before = await answers()
  expect(before.list).toHaveLength(3)
  for (const text of texts.toReversed()) await post('again', text)
  const spans = texts.flatMap((text) =>
    [...encodeRecords(Buffer.from(text), { source: 'again' })].flatMap((r) => r.spans),
  )
  for (let at = 0; at < spans.length; at += 7) await server.send(spans.slice(at, at + 9))
  expect(await answers()).toEqual(before)
})
