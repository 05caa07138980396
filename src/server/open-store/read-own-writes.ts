import type { RunningIndexer } from '../../indexer/index.js'
import type { SpanWriter } from '../../store/ingest/index.js'
import { withTimeout } from '../async/index.js'
import { settledInTime } from './settled-in-time.js'

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
