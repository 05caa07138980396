import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { createSpanSender } from '../../src/sender/index.js'
import { wholeLife } from '../support/plan-life.js'
import { runCli, startServe, type Serving } from './run-cli.js'
import { startFollow } from './start-follow.js'

/** Events of ManusX's own code; the comments between them are its keep-alives. */
const SAMPLE = readFileSync(new URL('../fixtures/plan-act/default-mock/chat.sse', import.meta.url), 'utf8')
const FRAMES = SAMPLE.split(/(?<=\r\n\r\n)/).filter((frame) => frame.startsWith('event:'))
const idOf = (frame: string): string => /"event_id":"([^"]+)"/.exec(frame)![1]!

let data: string
let serving: Serving
let state = 0

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'planspan-test-'))
  serving = await startServe(['--data', join(data, 'store')])
})
afterAll(async () => {
  await serving.end('SIGTERM')
  rmSync(data, { recursive: true, force: true })
})

const following = (url: string, ...more: string[]) => [
  url,
  '--endpoint',
  serving.line.url,
  '--source',
  String(++state),
  '--state',
  join(data, `${String(state)}.json`),
  ...more,
]

async function recordOf(source: number): Promise<string> {
  const list = await fetch(`${serving.line.url}/api/records?source=${String(source)}`)
  const { records } = (await list.json()) as { records: { planId: string }[] }
  expect(records).toHaveLength(1)
  const path = `/api/records/${encodeURIComponent(records[0]!.planId)}?source=${String(source)}`
  return (await fetch(`${serving.line.url}${path}`)).text()
}

describe('planspan follow of a session of ManusX', () => {
  let manus: Server
  let url: string
  /** The number of events, and the numbers after which a connection breaks. */
  let there: number
  let breaksAfter: number
  const asked: unknown[] = []

  beforeEach(async () => {
    there = 0
    breaksAfter = Number.POSITIVE_INFINITY
    asked.length = 0
    manus = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        asked.push(body)
        const from = FRAMES.findIndex((frame) => idOf(frame) === body.event_id) + 1
        response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
        response.write(': ping - 2026-01-15 05:49:00.123456+00:00\r\n\r\n')
        const frames = FRAMES.slice(from, Math.min(there, from + breaksAfter))
        for (const frame of frames) response.write(frame)
        if (frames.length < breaksAfter) response.end()
        // In the middle of the next event.
        else response.write(FRAMES[from + breaksAfter]?.slice(0, 30) ?? '', () => response.destroy())
      })
    })
    manus.listen(0, '127.0.0.1')
    await once(manus, 'listening')
    url = `http://127.0.0.1:${String((manus.address() as AddressInfo).port)}/api/v1/sessions/a1b2c3d4e5f60718`
  })
  afterEach(() => {
    manus.close()
    manus.closeAllConnections()
  })

  test('resumes after the last event when the connection breaks, and reads each event once', async () => {
    there = FRAMES.length
    breaksAfter = 4
    const follow = startFollow(following(url))
    await follow.until(({ state: reported }) => reported === 'running')
    await follow.until(({ state: reported }) => reported === 'completed')
    expect(await follow.end()).toBe(0)
    expect(await recordOf(state)).toBe(FRAMES.join(''))
    expect(asked.slice(0, 2)).toMatchObject([
      { message: '', event_id: null },
      { message: '', event_id: idOf(FRAMES[3]!) },
    ])
    expect(follow.events.filter(({ event }) => event === 'source_away').length).toBeLessThanOrEqual(asked.length)
  })

  test('continues in another process, and with the session’s next messages', async () => {
    there = 3
    const args = following(`${url}/chat`)
    expect(await runCli(['follow', ...args, '--once', '--interval', '1'])).toMatchObject({ code: 0 })
    there = 5
    const follow = startFollow(args)
    await follow.until(({ event }) => event === 'imported')
    there = FRAMES.length
    await follow.until(({ state: reported }) => reported === 'completed')
    expect(await follow.end()).toBe(0)
    expect(await recordOf(state)).toBe(FRAMES.join(''))
    expect(asked[1]).toMatchObject({ event_id: idOf(FRAMES[2]!) })
  })

  test('an error of the request is reported, and is not stored in the session’s record', async () => {
    const error = {
      event_id: 'c2a1f7f0-5a0b-4a5e-9d3c-0d1e2f3a4b5c',
      timestamp: 1768456490,
      error: 'Session not found',
    }
    manus.removeAllListeners('request')
    manus.on('request', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`event: error\r\ndata: ${JSON.stringify(error)}\r\n\r\n`)
    })
    const { code, out, err } = await runCli(['follow', ...following(url, '--once')])
    expect({ code, out, err }).toEqual({ code: 3, out: '', err: expect.stringMatching(/Session not found/) })
  })

  test('reports what is wrong', async () => {
    const { code, err } = await runCli(['follow', ...following(serving.line.url, '--system', 'events', '--once')])
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(/returns \d+ and no event stream/) })
  })
})

interface Asked {
  readonly event_id?: string | null
}

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text) as Asked
}

test('planspan follow of a stream with an explicit end exits at that end', async () => {
  const { send } = createSpanSender({ url: `${serving.line.url}/v1/traces` })
  await send(wholeLife({ traceId: 'a'.repeat(32), planId: 'plan-a' }).rows)
  const url = `${serving.line.url}/api/records/plan-a/events`
  const { code, out } = await runCli(['follow', ...following(url, '--interval', '0.1')])
  expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^1 plan: /) })
  const stream = await (await fetch(url)).text()
  expect(await recordOf(state)).toBe(stream.replaceAll(/^(?:retry: .*\r\n\r\n|id: .*\r\n)/gm, ''))
})
