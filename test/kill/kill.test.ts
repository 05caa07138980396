import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'

import { countWhole, makeRecords, sendAll } from '../collector/load.js'
import { startAgents } from './agents.js'
import { startBulkSenders } from './bulk-senders.js'
import { EnduranceServer, VICTIMS } from './endurance-server.js'
import { type Tally, tallyPlans, tallySpans } from './stored.js'

const rounds = Number(process.env['PLANSPAN_KILL_ROUNDS'])
const RECORDS = 20
/** The duration of load before and after the kill, in milliseconds. */
const LEAST_MS = 500
const SPREAD_MS = 1_500
/** The longest delay of views after a restart, in milliseconds. */
const PATIENCE_MS = 60_000

interface Round {
  readonly victim: string
  readonly spans: number
  readonly records: number
  readonly plans: number
  readonly readyMs: number
  readonly undelivered: number
  readonly lost: number
  readonly doubled: number
}

const done: Round[] = []
let data: string
let server: EnduranceServer

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-kill-'))
  server = await EnduranceServer.start(data)
})
afterAll(async () => {
  report()
  await server.stop()
  rmSync(data, { recursive: true, force: true })
})

it.each(Array.from({ length: rounds }, (_, index) => ({ round: index + 1, victim: VICTIMS[index % 3]! })))(
  'round $round: loses and duplicates no acknowledged span after kill -9 of $victim',
  async ({ round, victim }) => {
    const { url } = server.line
    const [service, plan, name] = [`bulk-${round}`, `agents-${round}`, `record-${round}`]
    const agents = startAgents(url, plan)
    onTestFinished(() => agents.kill())
    const bulk = startBulkSenders(server.line, round, service)
    const records = makeRecords(name, RECORDS)
    const sending = sendAll(url, records)
    await setTimeout(LEAST_MS + Math.random() * SPREAD_MS)
    const readyMs = await server.kill(victim)
    await setTimeout(LEAST_MS)
    await Promise.all([bulk.stop(), sending])
    const reported = await agents.end()

    const whole = await countWhole(server.line, records)
    const spans = await tallySpans(server, service, bulk.acknowledged())
    const plans = await settledTally(() => tallyPlans(server, `${plan}-`, reported))
    done.push({
      victim,
      spans: bulk.acknowledged(),
      records: records.length,
      plans: reported.plans.length,
      readyMs,
      undelivered: reported.undelivered,
      // Spans that the SDK has given up on were not acknowledged.
      lost: spans.lost + (reported.undelivered === 0 ? plans.lost : 0) + records.length - whole,
      doubled: spans.doubled + plans.doubled,
    })
    expect(spans).toEqual({ lost: 0, doubled: 0 })
    expect(whole).toBe(records.length)
    if (reported.undelivered === 0) expect(plans).toEqual({ lost: 0, doubled: 0 })
    expect(plans.doubled).toBe(0)
    expect([bulk.acknowledged(), reported.plans.length].every((count) => count > 0)).toBe(true)
  },
)

/** Counts again while spans are missing: views are updated as fast as spans are indexed. */
async function settledTally(tally: () => Promise<Tally>): Promise<Tally> {
  const givenUp = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await tally()
    if (found.lost === 0 || performance.now() > givenUp) return found
    await setTimeout(LEAST_MS)
  }
}

function report(): void {
  const sum = (key: Exclude<keyof Round, 'victim'>) => done.reduce((total, round) => total + round[key], 0)
  const ready = done.map(({ readyMs }) => readyMs).sort((a, b) => a - b)
  const seconds = (at: number) => ((ready.at(at) ?? 0) / 1000).toFixed(1)
  const victims = VICTIMS.map((name) => `${name} ${done.filter(({ victim }) => victim === name).length}`)
  process.stdout.write(
    [
      `${done.length} kills with -9 (${victims.join(', ')})`,
      `acknowledged: ${sum('spans')} spans, ${sum('records')} records, ${sum('plans')} plans in flight`,
      `lost: ${sum('lost')}, doubled: ${sum('doubled')}; spans that the SDK gave up: ${sum('undelivered')}`,
      `time to ready: ${seconds(0)} to ${seconds(-1)} s, median ${seconds(Math.floor(ready.length / 2))} s\n`,
    ].join('\n'),
  )
}
