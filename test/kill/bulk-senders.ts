import { setTimeout } from 'node:timers/promises'

import { grpcSender, sendHttp } from '../collector/send.js'
import { encodeRequest } from '../otlp/encode-request.js'
import { makeRequest, makeSpan } from '../store/ingest/sample-spans.js'

export interface BulkSenders {
  /** The number of spans acknowledged so far. */
  acknowledged(): number
  /** Ends the senders after their current requests are acknowledged. */
  stop(): Promise<void>
}

export interface Target {
  readonly url: string
  readonly grpcUrl: string | null
}

const SENDERS = 2
const SPANS_A_REQUEST = 200
const RETRY_MS = 50
const TIMEOUT_MS = 10_000

/** The number of the first span of a round; rounds do not overlap. */
const firstOf = (round: number): number => round * 1_000_000_000

/** Clients over HTTP and gRPC that send one request after the other, each until it is acknowledged. */
export function startBulkSenders({ url, grpcUrl }: Target, round: number, service: string): BulkSenders {
  const grpc = grpcSender(new URL(grpcUrl ?? '').host)
  const overHttp = (body: Uint8Array) =>
    sendHttp(url, body, { type: 'application/x-protobuf', signal: AbortSignal.timeout(TIMEOUT_MS) })
  let next = firstOf(round)
  let acknowledged = 0
  const over = new AbortController()
  const run = async (send: (body: Uint8Array) => Promise<void>): Promise<void> => {
    while (!over.signal.aborted) {
      const first = next
      next += SPANS_A_REQUEST
      const spans = Array.from({ length: SPANS_A_REQUEST }, (_, index) => makeSpan(first + index))
      const body = encodeRequest(makeRequest(spans, service))
      const isTaken = () => send(body).then(() => true, () => false) // prettier-ignore
      while (!(await isTaken())) await setTimeout(RETRY_MS)
      acknowledged += SPANS_A_REQUEST
    }
  }
  const running = Promise.all([overHttp, grpc.send].flatMap((send) => Array.from({ length: SENDERS }, () => run(send))))
  return {
    acknowledged: () => acknowledged,
    async stop() {
      over.abort()
      await running
      grpc.close()
    },
  }
}
