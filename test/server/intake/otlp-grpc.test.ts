import { status } from '@grpc/grpc-js'
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { PlanspanError } from '../../../src/error.js'
import { BodyReader } from '../../../src/server/http/body-reader.js'
import type { Listener } from '../../../src/server/http/listen.js'
import { listenOtlp } from '../../../src/server/intake/otlp-grpc.js'
import type { SpanIntake } from '../../../src/server/intake/span-intake.js'
import type { WriteRequest, WriteResult } from '../../../src/store/ingest/index.js'
import { encodeRequest } from '../../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../../store/ingest/sample-spans.js'
import { fieldsOf, messages, text } from '../jaeger/jaeger-client.js'
import { frame, openCall, otlpClient, sendBytes, type OtlpClient } from '../otlp-client.js'

const STORED: WriteResult = { rejectedSpans: 0, errorMessage: '' }
const body = encodeRequest(makeRequest([makeSpan(1), makeSpan(2)]))

const open: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

/** The receiver over a writer that records its input and returns the given result, and a client. */
async function receiver(
  answer: () => WriteResult | Promise<WriteResult> = () => STORED,
  options: Partial<SpanIntake> & { compression?: 'gzip' } = {},
): Promise<{ client: OtlpClient; written: WriteRequest[]; listener: Listener }> {
  const written: WriteRequest[] = []
  const writer = {
    check: () => {},
    write: async (request: WriteRequest) => {
      written.push(request)
      return answer()
    },
  }
  const listener = await listenOtlp({ writer, ...options }, { host: '127.0.0.1', port: 0 })
  open.push(() => listener.close(AbortSignal.abort()))
  const client = otlpClient(listener.port, options.compression)
  open.push(() => client.close())
  return { client, written, listener }
}

describe('TraceService/Export', () => {
  it.each([[undefined], ['gzip' as const]])(
    'passes the bytes to the writer as they arrived (compression %s)',
    async (compression) => {
      const { client, written } = await receiver(undefined, compression && { compression })
      expect(await client.export(body)).toEqual({ code: 0, details: '', response: Buffer.alloc(0) })
      expect(written).toMatchObject([{ encoding: 'protobuf', spans: 2 }])
      expect(Buffer.from(written[0]!.body).equals(body)).toBe(true)
    },
  )

  it('accepts a request without spans', async () => {
    const { client } = await receiver()
    expect(await client.export(new Uint8Array())).toMatchObject({ code: status.OK })
  })

  it("reports rejected spans, its own and the writer's, in a partial success", async () => {
    const { client, written } = await receiver(() => ({ rejectedSpans: 1, errorMessage: 'ClickHouse refused it.' }))
    const { code, response } = await client.export(
      encodeRequest(makeRequest([makeSpan(1), makeSpan(2, { spanId: '' })])),
    )
    const [partial] = messages(fieldsOf(response!), 1)
    expect([code, partial!.get(1), text(partial!, 2)]).toEqual([
      status.OK,
      [2n],
      '1 span refused: its span id is not 8 bytes, or all zero. ClickHouse refused it.',
    ])
    expect(written).toMatchObject([{ spans: 1 }])
  })

  it('rejects spans that start before the retention period', async () => {
    const { client } = await receiver(undefined, { refuseBefore: () => 2_000_000_000_000_000_000n })
    const { response } = await client.export(body)
    expect(text(messages(fieldsOf(response!), 1)[0]!, 2)).toContain('retention')
  })

  it('rejects spans with start times outside the range of the store', async () => {
    const never = { from: 2_000_000_000_000_000_000n, until: 2_000_000_000_000_000_001n }
    const { client } = await receiver(undefined, { spanTimes: () => never })
    const { response } = await client.export(body)
    expect(text(messages(fieldsOf(response!), 1)[0]!, 2)).toContain('--time-window')
  })

  it('returns INVALID_ARGUMENT for a malformed request', async () => {
    const { client, written } = await receiver()
    expect(await client.export(body.subarray(0, -3))).toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(/at byte \d+\.$/) as string,
      retryAfter: undefined,
    })
    expect(written).toEqual([])
  })

  it('returns RESOURCE_EXHAUSTED without RetryInfo for a request above the limit', async () => {
    const bodies = () => new BodyReader({ maxBytes: 4096 })
    const { client, listener, written } = await receiver(undefined, { bodies: bodies() })
    const packed = await receiver(undefined, { bodies: bodies(), compression: 'gzip' })
    const large = Buffer.alloc(4097)
    const tooLarge = {
      code: status.RESOURCE_EXHAUSTED,
      details: expect.stringContaining('4096') as string,
      retryAfter: undefined,
    }
    expect(await client.export(large)).toMatchObject(tooLarge)
    expect(await packed.client.export(large)).toMatchObject(tooLarge)
    expect(await sendBytes(listener.port, frame(Buffer.alloc(0), { length: 2 ** 32 - 1 }))).toEqual([
      status.RESOURCE_EXHAUSTED,
      expect.stringContaining('4294967295'),
    ])
    expect(await client.export(body)).toMatchObject({ code: status.OK })
    expect([written.length, packed.written.length]).toEqual([1, 0])
  })

  it.each([
    ['what is not gzip', frame(body, { isCompressed: true }), 'gzip', status.INTERNAL, 'not gzip'],
    ['another compression', frame(gzipSync(body), { isCompressed: true }), 'br', status.UNIMPLEMENTED, '"br"'],
  ])('answers %s with a final status', async (_, sent, encoding, code, details) => {
    const { listener } = await receiver()
    expect(await sendBytes(listener.port, sent, encoding)).toEqual([code, expect.stringContaining(details)])
  })

  it.each([
    ['store_busy', 1],
    ['store_unreachable', 5],
    ['clickhouse_failed', 5],
  ] as const)('answers UNAVAILABLE, and when to try again, when the writer says %s', async (code, retryAfter) => {
    const { client } = await receiver(() => {
      throw new PlanspanError(code, 'Not now, “später”.')
    })
    expect(await client.export(body)).toMatchObject({
      code: status.UNAVAILABLE,
      details: 'Not now, “später”.',
      retryAfter,
    })
  })

  it('returns UNAVAILABLE for a request that does not fit into memory beside others', async () => {
    const ends: (() => void)[] = []
    const answer = () => new Promise<WriteResult>((resolve) => ends.push(() => resolve(STORED)))
    const { client } = await receiver(answer, { bodies: new BodyReader({ maxTotalBytes: body.length * 2 - 1 }) })
    const first = client.export(body)
    await vi.waitFor(() => expect(ends).toHaveLength(1))
    expect(await client.export(body)).toMatchObject({ code: status.UNAVAILABLE, retryAfter: 1 })
    ends[0]?.()
    expect(await first).toMatchObject({ code: status.OK })
    const third = client.export(body)
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    ends[1]?.()
    expect(await third).toMatchObject({ code: status.OK })
  })

  it('returns INTERNAL for an internal error, and logs a warning', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const { client } = await receiver(() => {
      throw new TypeError('no such thing')
    })
    expect(await client.export(body)).toMatchObject({
      code: status.INTERNAL,
      details: expect.stringContaining('Please report this') as string,
    })
    expect(warn).toHaveBeenCalledOnce()
    warn.mockRestore()
  })

  it('survives a client that disconnects before the response, or in the middle of its request', async () => {
    const ends: (() => void)[] = []
    const { client, listener, written } = await receiver(
      () => new Promise<WriteResult>((resolve) => ends.push(() => resolve(STORED))),
    )
    const gone = openCall(listener.port, frame(body))
    await vi.waitFor(() => expect(ends).toHaveLength(1))
    for (const call of [gone, openCall(listener.port, frame(body, { length: 1000 }))]) {
      call.destroy()
      await once(call, 'close')
    }
    ends[0]?.()
    const answered = client.export(body)
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    ends[1]?.()
    expect(await answered).toMatchObject({ code: status.OK })
    expect(written).toHaveLength(2)
  })

  it('answers each call in flight when it is closed, and accepts no more', async () => {
    const ends: (() => void)[] = []
    const { client, listener } = await receiver(
      () => new Promise<WriteResult>((resolve) => ends.push(() => resolve(STORED))),
    )
    const inFlight = client.export(body)
    await vi.waitFor(() => expect(ends).toHaveLength(1))
    const closed = listener.close(new AbortController().signal)
    const late = otlpClient(listener.port)
    expect(await late.export(body)).toMatchObject({ code: status.UNAVAILABLE })
    expect(await client.export(body)).toMatchObject({ code: status.UNAVAILABLE })
    late.close()
    ends[0]?.()
    expect(await inFlight).toMatchObject({ code: status.OK })
    await closed
    expect(ends).toHaveLength(1)
  })
})

it('returns UNIMPLEMENTED for any other service', async () => {
  const { client } = await receiver()
  expect(
    await client.export(body, 'opentelemetry.proto.collector.profiles.v1development.ProfilesService'),
  ).toMatchObject({
    code: status.UNIMPLEMENTED,
  })
})
