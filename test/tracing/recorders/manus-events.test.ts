import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { decodeEvents, decodeRecord, type DialectName } from '../../../src/mapping/index.js'
import { createManusRecorder, PendingSpanProcessor } from '../../../src/tracing/index.js'
import { anySession, runsOf } from '../../support/plan-act-orders.js'
import { SERIALISATIONS } from '../../support/plan-act-records.js'
import { fullSession } from '../../support/plan-act-run.js'
import { installSdk, type InMemorySdk } from '../in-memory-sdk.js'
import { storedSpans } from '../stored-spans.js'

let sdk: InMemorySdk
let pending: PendingSpanProcessor

beforeEach(() => {
  sdk = installSdk({ before: (next) => (pending = new PendingSpanProcessor(next)) })
})
afterEach(async () => {
  await pending.shutdown()
  sdk.uninstall()
})

/** The stored rows of each plan that a recorder makes of a session, in the order of the plans. */
function recorded(lines: readonly unknown[]) {
  const before = sdk.spans().length
  const recorder = createManusRecorder({ sessionId: 's-1' })
  for (const line of lines) recorder.event(line)
  recorder.end()
  const rows = storedSpans(sdk.spans().slice(before))
  return [...new Set(rows.map(({ traceId }) => traceId))].map((trace) =>
    rows.filter(({ traceId }) => traceId === trace),
  )
}

const parsed = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

const read = (rows: ReturnType<typeof recorded>[number], format: DialectName = 'plan-act:events') =>
  decodeRecord(rows, { format })!

describe('a session that is recorded live contains every event with all of its values, in order', () => {
  test.each([['redis'], ['domain']] as const)('from %s events, in any order', (form) => {
    fc.assert(
      fc.property(anySession, (session) => {
        const runs = runsOf(session)
        const found = recorded(parsed(SERIALISATIONS[form](session))).map((rows) => parsed(read(rows).text))
        const told = runs.map((run) => parsed(SERIALISATIONS.redis(run)))
        if (form === 'redis') expect(found).toEqual(told)
        else
          expect(found).toMatchObject(told.map((run) => run.map((line) => ({ data: (line as { data: object }).data }))))
      }),
      { numRuns: 100 },
    )
  })

  test('as clients receive it', () => {
    const [rows] = recorded(parsed(SERIALISATIONS.redis(fullSession.slice(0, 17))))
    const [run] = runsOf(fullSession)
    expect(read(rows!, 'plan-act:sse').text).toBe(
      SERIALISATIONS.sse(
        run!.filter(({ data }) => data['role'] !== 'user'),
        { pings: false },
      ),
    )
  })

  test('once, however often the stream repeats it', () => {
    const lines = parsed(SERIALISATIONS.redis(fullSession))
    const [once, twice] = [lines, lines.flatMap((line, index) => [line, line, ...lines.slice(0, index)])].map((all) =>
      recorded(all).map((rows) => read(rows).text),
    )
    expect(twice).toEqual(once)
  })

  test('while it runs in the same order as afterwards', async () => {
    const recorder = createManusRecorder()
    const seen: string[] = []
    const before = sdk.spans().length
    const plan = fullSession.slice(0, 17)
    for (const line of parsed(SERIALISATIONS.domain(plan))) {
      recorder.event(line)
      await pending.forceFlush()
      const rows = storedSpans(sdk.spans().slice(before))
      if (recorder.planId === undefined) continue
      const { frames } = decodeEvents(rows, { planId: recorder.planId, now: 0n })!
      expect(frames.map(({ id }) => id).slice(0, seen.length)).toEqual(seen)
      seen.push(...frames.slice(seen.length).map(({ id }) => id))
    }
    expect(seen).toHaveLength(plan.filter(({ data }) => data['role'] !== 'user').length)
  })

  test('from the messages of the SSE stream', () => {
    const stream = SERIALISATIONS.sse(fullSession.slice(0, 17), { pings: false })
    const messages = stream
      .split('\r\n\r\n')
      .slice(0, -1)
      .map((frame) => {
        const [event = '', data = ''] = frame.split('\r\n').map((line) => line.slice(line.indexOf(':') + 2))
        return { event, data: JSON.parse(data) as unknown }
      })
    const [rows] = recorded(messages)
    const said = stream.split('\r\n\r\n').filter((frame) => !frame.includes('"role":"user"'))
    expect(read(rows!, 'plan-act:sse').text).toBe(said.join('\r\n\r\n'))
  })
})
