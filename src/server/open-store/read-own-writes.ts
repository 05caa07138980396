import { PlanspanError } from '../../error.js'
import type { RunningIndexer } from '../../indexer/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'
import { withTimeout } from '../async/index.js'

/** How long a reader waits for rows, milliseconds; after that it reads those that are there. */
const DEADLINE_MS = 5_000

/** Lets readers of rows see what this process has acknowledged. */
export interface OwnWrites {
  /** Notes that a request was acknowledged. */
  wrote(): void
  /** Resolves when the rows of all that was acknowledged before are written, or after a deadline. */
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

/** Resolves when all that a writer has acknowledged can be read. Throws `store_unreachable` if that takes too long. */
export const settledInTime = (writer: Pick<SpanWriter, 'settled'>, limitMs = 5000): Promise<void> =>
  withTimeout(limitMs, writer.settled(), () => {
    throw new PlanspanError(
      'store_unreachable',
      'Spans that were acknowledged are still on their way to the tables, which ClickHouse does not take. Look at its log.',
    )
  })

/** A writer that does something more once a request is stored. */
export const afterWrite = (writer: SpanWriter, more: () => void): SpanWriter => ({
  async write(...request) {
    const result = await writer.write(...request)
    more()
    return result
  },
  check: writer.check,
  settled: writer.settled,
  takeOver: writer.takeOver,
  close: writer.close,
})
