import { PlanspanError } from '../../error.js'
import type { SpanWriter } from '../../store/ingest/index.js'
import { withTimeout } from '../async/index.js'

/** Resolves when all that a writer has acknowledged can be read. Throws `store_unreachable` if that takes too long. */
export const settledInTime = (writer: Pick<SpanWriter, 'settled'>, limitMs = 5000): Promise<void> =>
  withTimeout(limitMs, writer.settled(), () => {
    throw new PlanspanError(
      'store_unreachable',
      'Spans that were acknowledged are still on their way to the tables, which ClickHouse does not take. Look at its log.',
    )
  })
