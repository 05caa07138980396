import {
  EXCEPTION_TAG_HEADER_NAME,
  extractErrorAtTheEndOfChunk,
  type ClickHouseClient,
  type ExecParams,
} from '@clickhouse/client'

import { streamWhileAlive, whileAlive } from './while-alive.js'

/** Separates an answer from the error message that ClickHouse appends if a query fails while it answers. */
interface Splitter {
  /** Returns the part of a chunk that belongs to the answer, and keeps the rest. */
  take(piece: Buffer): Buffer | undefined
  /** Returns the kept bytes at the end of the answer: its rest, or bytes that end with the error message. */
  end(tag: string): { readonly rest?: Buffer; readonly failure?: Buffer | undefined }
}

const CARRIAGE_RETURN = 0x0d

/** Splits answers in JSON formats, which escape the carriage return that an error message begins with. */
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

/** The maximum length of an error message after an answer, bytes. */
const MAX_FAILURE_BYTES = 32 << 10

/** Splits answers in any format, by holding back their last bytes. */
export function splitFile(): Splitter {
  let end: Buffer = Buffer.of()
  return {
    take(piece) {
      end = Buffer.concat([end, piece])
      if (end.length < 2 * MAX_FAILURE_BYTES) return undefined
      const passed = end.subarray(0, -MAX_FAILURE_BYTES)
      end = end.subarray(-MAX_FAILURE_BYTES)
      return passed
    },
    end: (tag) =>
      tag !== '' && end.subarray(-200).includes(`${tag}\r\n__exception__`) ? { failure: end } : { rest: end },
  }
}

/** Streams the answer of a query, in chunks that end anywhere. Throws ClickHouse's own errors. */
export async function* streamAnswer(
  { client, url }: { readonly client: ClickHouseClient; readonly url: string },
  query: Pick<ExecParams, 'query' | 'query_params' | 'clickhouse_settings'>,
  splitter: Splitter,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  let tag = ''
  let broken: unknown
  const aborter = new AbortController()
  const abort = (): void => aborter.abort()
  signal?.addEventListener('abort', abort)
  try {
    const answer = await whileAlive(url, client.exec({ ...query, abort_signal: aborter.signal }))
    tag = String(answer.response_headers[EXCEPTION_TAG_HEADER_NAME] ?? '')
    for await (const piece of streamWhileAlive<Buffer>(url, answer.stream)) {
      const passed = splitter.take(piece)
      if (passed) yield passed
    }
  } catch (error) {
    abort()
    broken = error
  } finally {
    signal?.removeEventListener('abort', abort)
  }
  const { rest, failure } = splitter.end(tag)
  if (failure) throw extractErrorAtTheEndOfChunk(failure, tag)
  if (broken !== undefined) throw broken
  if (rest && rest.length > 0) yield rest
}
