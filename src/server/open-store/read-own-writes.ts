import { PlanspanError } from '../../error.js'
import type { RunningIndexer } from '../../indexer/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'
import { withTimeout } from '../async.js'

/** The maximum time that a reader waits for rows, milliseconds; then it reads the existing rows. */
const DEADLINE_MS = 5_000

/** Lets readers see the rows of requests that this process has acknowledged. */
export interface OwnWrites {
  /** Records that a request was acknowledged. */
  wrote(): void
  /** Resolves when the rows of all earlier acknowledged requests are written, or after a deadline. */
  indexed(): Promise<void>
}

/** Waits for the indexer only if something was acknowledged since it last caught up. */
export function readOwnWrites(
  writer: Pick<SpanWriter, 'settled'>,
  indexer: Pick<RunningIndexer, 'catchUp'>,
): OwnWrites {
  let written = 0
  let indexed = 0
  return {
    wrote() {
      written++
    },
    async indexed() {
      if (written === indexed) return
      const asked = written
      await settledInTime(writer)
      await withTimeout(
        DEADLINE_MS,
        indexer.catchUp().then((isIndexed) => {
          if (isIndexed) indexed = Math.max(indexed, asked)
        }),
        () => undefined,
      )
    },
  }
}

/** Resolves when all acknowledged requests can be read. Throws `store_unreachable` if that takes too long. */
export const settledInTime = (writer: Pick<SpanWriter, 'settled'>, limitMs = 5000): Promise<void> =>
  withTimeout(limitMs, writer.settled(), () => {
    throw new PlanspanError(
      'store_unreachable',
      'ClickHouse does not accept acknowledged spans into the tables. See its log.',
    )
  })

/** Returns a writer that calls a function after each stored request and each takeover of the journal. */
export const afterWrite = (writer: SpanWriter, more: () => void): SpanWriter => ({
  async write(...request) {
    const result = await writer.write(...request)
    more()
    return result
  },
  check: writer.check,
  settled: writer.settled,
  async takeOver(which) {
    await writer.takeOver(which)
    more()
  },
  close: writer.close,
})
