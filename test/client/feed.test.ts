import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, test } from 'vitest'

import { ClientError, createClient, type FeedOptions } from '../../src/client/index.js'
import { listenHttp } from '../support/http-server.js'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server that returns these responses in turn, repeats the last, and records the last event ids of the requests. */
async function scripted(...answers: Answer[]) {
  const lastIds: (string | undefined)[] = []
  const server = await listenHttp((request, response) => {
    lastIds.push(request.headers['last-event-id'] as string | undefined)
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(response, request)
  })
  return { ...server, [Symbol.asyncDispose]: server[Symbol.asyncDispose], lastIds }
}

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8', 'planspan-state': 'running' }

/** A stream that ends. */
const events =
  (text: string, headers = {}): Answer =>
  (response) =>
    response.writeHead(200, { ...STREAM, ...headers }).end(text)
/** A stream that breaks off. */
const broken =
  (text: string): Answer =>
  (response) =>
    response.writeHead(200, STREAM).write(text, () => response.destroy())
/** A stream that stays open. */
const open =
  (text: string): Answer =>
  (response) =>
    response.writeHead(200, STREAM).write(text)
const over: Answer = (response) => response.writeHead(204, { 'planspan-state': 'completed' }).end()
const dead: Answer = (response) => response.destroy()
const problem =
  (status: number, code: string): Answer =>
  (response) =>
    response
      .writeHead(status, { 'content-type': 'application/problem+json' })
      .end(JSON.stringify({ type: 'about:blank', title: '', status, code, detail: `It is ${code}.` }))

const span = (spanId: string): string => `event: span\r\ndata: {"spanId":"${spanId}"}\r\n\r\n`
const knownAs = (id: string): string => `id: ${id}\r\nevent: known\r\ndata: {}\r\n\r\n`
const plan = (planId: string, state = 'running'): string =>
  `event: plan\r\ndata: ${JSON.stringify({ traceId: 't', planId, state })}\r\n\r\n`
const gone = (planId: string): string => `event: gone\r\ndata: {"traceId":"t","planId":"${planId}"}\r\n\r\n`
const KNOWN = 'event: known\r\ndata: {}\r\n\r\n'

const SOON: FeedOptions = { retryMs: 1, patienceMs: 50 }

async function all<T>(changes: AsyncIterable<T>): Promise<T[]> {
  const reported: T[] = []
  for await (const change of changes) reported.push(change)
  return reported
}

describe('a plan’s spans', () => {
  test('are read over connections that end and break, each resumed after the last event, until the stream is complete', async () => {
    await using server = await scripted(
      events(span('a') + knownAs('1')),
      broken(span('b') + knownAs('2')),
      dead,
      problem(503, 'store_unreachable'),
      over,
    )
    const reported = await all(createClient({ endpoint: server.url }).spanChanges('p', {}, SOON))
    expect(reported).toEqual([
      { kind: 'span', span: { spanId: 'a' } },
      { kind: 'known', id: '1' },
      { kind: 'span', span: { spanId: 'b' } },
      { kind: 'known', id: '2' },
    ])
    expect(server.lastIds).toEqual([undefined, '1', '2', '2', '2'])
  })

  test('start after the spans that are already known', async () => {
    await using server = await scripted(over)
    await all(createClient({ endpoint: server.url }).spanChanges('p', {}, { lastEventId: '7' }))
    expect(server.lastIds).toEqual(['7'])
  })

  test('end when the signal aborts', async () => {
    await using server = await scripted(open(span('a')))
    const stop = new AbortController()
    const reported: unknown[] = []
    for await (const change of createClient({ endpoint: server.url }).spanChanges('p', {}, { signal: stop.signal })) {
      reported.push(change)
      stop.abort()
    }
    expect(reported).toEqual([{ kind: 'span', span: { spanId: 'a' } }])
  })

  test('end when the signal aborts while a silent server in the same process keeps the connection open', async () => {
    const stop = new AbortController()
    let isCancelled = false
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(span('a'))),
      cancel() {
        isCancelled = true
      },
    })
    const client = createClient({ endpoint: 'http://localhost', fetch: () => new Response(body, { headers: STREAM }) })
    const changes = client.spanChanges('p', {}, { signal: stop.signal })
    await changes.next()
    const next = changes.next()
    stop.abort()
    expect(await next).toEqual({ done: true, value: undefined })
    expect(isCancelled).toBe(true)
  })

  test('are released when nobody reads on', async () => {
    let close = (): void => {}
    const isClosed = new Promise<void>((resolve) => {
      close = resolve
    })
    await using server = await scripted((response) => {
      response.on('close', close)
      open(span('a'))(response, undefined!)
    })
    for await (const _ of createClient({ endpoint: server.url }).spanChanges('p')) break
    expect(await isClosed).toBeUndefined()
  })

  test('fail at once if the first connection fails', async () => {
    await using server = await scripted(dead, over)
    await expect(all(createClient({ endpoint: server.url }).spanChanges('p'))).rejects.toBeInstanceOf(ClientError)
  })

  test('fail if the server refuses to continue', async () => {
    await using server = await scripted(events(knownAs('1')), problem(404, 'not_found'))
    await expect(all(createClient({ endpoint: server.url }).spanChanges('p', {}, SOON))).rejects.toMatchObject({
      code: 'not_found',
      message: 'It is not_found.',
    })
  })

  test('fail if the server is gone for longer than the patience', async () => {
    await using server = await scripted(events(knownAs('1')), dead)
    await expect(all(createClient({ endpoint: server.url }).spanChanges('p', {}, SOON))).rejects.toMatchObject({
      code: 'unreachable',
    })
    expect(server.lastIds.length).toBeGreaterThan(4)
  })
})

describe('a list’s changes', () => {
  test('after a lost connection include what has changed since, and which plans have left', async () => {
    await using server = await scripted(
      broken(plan('a') + plan('b') + plan('c') + KNOWN + gone('c') + plan('d') + KNOWN),
      events(plan('a') + plan('d', 'waiting') + KNOWN),
      problem(404, 'not_found'),
    )
    const reported: unknown[] = []
    const read = async (): Promise<void> => {
      for await (const change of createClient({ endpoint: server.url }).listChanges({}, SOON)) {
        reported.push(change.kind === 'plan' ? `${change.plan.planId} ${change.plan.state}` : change)
      }
    }
    await expect(read()).rejects.toMatchObject({ code: 'not_found' })
    const known = { kind: 'known' }
    expect(reported).toEqual([
      'a running',
      'b running',
      'c running',
      known,
      { kind: 'gone', traceId: 't', planId: 'c' },
      'd running',
      known,
      'd waiting',
      { kind: 'gone', traceId: 't', planId: 'b' },
      known,
    ])
  })
})

describe('a plan’s events', () => {
  const RETRY = 'retry: 1000\r\n\r\n'
  const message = (id: string): string => `id: ${id}\r\nevent: message\r\ndata: {"content":"${id}"}\r\n\r\n`

  async function reported(answers: Answer[], options: FeedOptions = SOON) {
    await using server = await scripted(...answers)
    const feed = createClient({ endpoint: server.url }).events('p', {}, options)
    const kinds: string[] = []
    for (;;) {
      const { done, value } = await feed.next()
      if (done) return { kinds, state: value, lastIds: server.lastIds }
      kinds.push(value.kind === 'event' ? String(value.data['content']) : value.kind)
    }
  }

  test('of a record end, and return its state', async () => {
    const answers = [events(message('1') + message('2'), { 'planspan-state': 'failed' })]
    expect(await reported(answers)).toEqual({ kinds: ['1', '2'], state: 'failed', lastIds: [undefined] })
  })

  test('of a running plan continue until it ends', async () => {
    const answers = [events(`${RETRY}${message('1')}: changed\r\n\r\n: still here\r\n\r\n`), over]
    expect(await reported(answers)).toEqual({ kinds: ['1', 'changed'], state: 'completed', lastIds: [undefined, '1'] })
  })

  test('of an interrupted plan end', async () => {
    const interrupted = { 'planspan-state': 'interrupted' }
    const answers = [events(`${RETRY}${message('1')}`, interrupted), events(RETRY, interrupted)]
    expect(await reported(answers)).toEqual({ kinds: ['1'], state: 'interrupted', lastIds: [undefined, '1'] })
  })
})

describe('an export', () => {
  const NDJSON = { 'content-type': 'application/x-ndjson' }

  test('that breaks off throws after its last whole line', async () => {
    for (const end of [
      (response: ServerResponse) => response.destroy(),
      (response: ServerResponse) => response.end(),
    ]) {
      await using server = await scripted((response) =>
        response.writeHead(200, NDJSON).write('{"cursor":"a"}\n{"cursor":"b"', () => setImmediate(() => end(response))),
      )
      const reported: unknown[] = []
      const read = async (): Promise<void> => {
        for await (const { cursor } of createClient({ endpoint: server.url }).export()) reported.push(cursor)
      }
      await expect(read()).rejects.toMatchObject({ code: 'broken_off' })
      expect(reported).toEqual(['a'])
    }
  })

  test('fails with the signal’s reason when the signal aborts', async () => {
    await using server = await scripted((response) => response.writeHead(200, NDJSON).write('{"cursor":"a"}\n'))
    const stop = new AbortController()
    const read = async (): Promise<void> => {
      for await (const _ of createClient({ endpoint: server.url }).export({}, { signal: stop.signal })) {
        stop.abort(new Error('enough'))
      }
    }
    await expect(read()).rejects.toThrow('enough')
  })
})
