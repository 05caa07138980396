import { resolve } from 'node:path'

import { setAsideParts, type SetAside } from '../../clickhouse/index.js'
import { DEFAULT_YEARS, spanTimesOf } from '../../semconv/index.js'

/** A data directory and the days to keep. */
export interface SetAsideOptions {
  readonly dataDirectory: string
  /** The number of years to keep. @default 10 */
  readonly timeWindowYears?: number | undefined
}

/**
 * Sets aside the days for which an embedded store accepts no spans, so that it starts fast. Deletes nothing. Throws
 * `data_directory_in_use` while a server runs.
 */
export async function setAsideDays({
  dataDirectory,
  timeWindowYears = DEFAULT_YEARS,
}: SetAsideOptions): Promise<SetAside[]> {
  const { from, until } = spanTimesOf(timeWindowYears, Date.now())
  const [first, last] = [Number(from / 1_000_000n), Number(until / 1_000_000n)]
  return setAsideParts(resolve(dataDirectory), (begin, end) => end > TIMELESS_MS && (end <= first || begin >= last))
}

/** Rows without a time are stored in the first month of 1970. */
const TIMELESS_MS = 31 * 86_400_000
