import {
  EXCEPTION_TAG_HEADER_NAME,
  extractErrorAtTheEndOfChunk,
  type ClickHouseClient,
  type ExecParams,
} from '@clickhouse/client'

import { streamWhileAlive, whileAlive } from './while-alive.js'

/** Takes an answer apart: ClickHouse writes behind it why a query has failed that had begun to answer. */
interface Splitter {
  /** What of the answer is told now; the rest of the piece, or all, is kept. */
  take(piece: Buffer): Buffer | undefined
  /** What is kept when the answer is over: of the answer, or what ends with the failure's message. */
  end(tag: string): { readonly rest?: Buffer; readonly failure?: Buffer | undefined }
}

const CARRIAGE_RETURN = 0x0d

/** Of an answer in a JSON format, which escapes the byte that a failure's message begins with. */
export function splitJson(): Splitter {
  let failure: Buffer | undefined
  return {
    take(piece) {
      const at = failure ? 0 : piece.indexOf(CARRIAGE_RETURN)
      if (at < 0) return piece
      failure = Buffer.concat([failure ?? Buffer.of(), piece.subarray(at)])
      return undefined
    },
    end: () => ({ failure }),
  }
}

/** What ClickHouse writes behind an answer that fails is no longer. */
const LONGEST_FAILURE = 32 << 10

/** Of any answer; its end is kept back until it is over. */
export function splitFile(): Splitter {
  let end: Buffer = Buffer.of()
  return {
    take(piece) {
      end = Buffer.concat([end, piece])
      if (end.length < 2 * LONGEST_FAILURE) return undefined
      const told = end.subarray(0, -LONGEST_FAILURE)
      end = end.subarray(-LONGEST_FAILURE)
      return told
    },
    end: (tag) =>
      tag !== '' && end.subarray(-200).includes(`${tag}\r\n__exception__`) ? { failure: end } : { rest: end },
  }
}

/** Streams what ClickHouse answers, in pieces that end anywhere. Throws ClickHouse's own errors. */
export async function* streamAnswer(
  { client, url }: { readonly client: ClickHouseClient; readonly url: string },
  asked: Pick<ExecParams, 'query' | 'query_params' | 'clickhouse_settings'>,
  splitter: Splitter,
): AsyncGenerator<Uint8Array, void, undefined> {
  let tag = ''
  let broken: unknown
  const unasked = new AbortController()
  try {
    const answer = await whileAlive(url, client.exec({ ...asked, abort_signal: unasked.signal }))
    tag = String(answer.response_headers[EXCEPTION_TAG_HEADER_NAME] ?? '')
    for await (const piece of streamWhileAlive<Buffer>(url, answer.stream)) {
      const told = splitter.take(piece)
      if (told) yield told
    }
  } catch (error) {
    unasked.abort()
    broken = error
  }
  const { rest, failure } = splitter.end(tag)
  if (failure) throw extractErrorAtTheEndOfChunk(failure, tag)
  if (broken !== undefined) throw broken
  if (rest && rest.length > 0) yield rest
}
