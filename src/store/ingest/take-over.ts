import type { Encoding } from './frame.js'
import { warnOfLostSpans } from './isolate.js'
import { dropSegment, findSegments, readSegment } from './journal-table.js'
import { storeRequests, type StoreRequestsOptions } from './store-requests.js'

const ENCODINGS: readonly Encoding[] = ['protobuf', 'json']

/**
 * Stores requests from the journal in the span tables: those of `all` segments, or of `orphaned` ones only, which their
 * writer has abandoned. A request may already be stored, or be stored by another process at the same time: repeated
 * spans change nothing. A segment that may still be written to is not dropped.
 */
export async function takeOver(options: StoreRequestsOptions, which: 'all' | 'orphaned'): Promise<void> {
  for (const { segment, isOrphaned } of await findSegments(options)) {
    if (which === 'orphaned' && !isOrphaned) continue
    const requests = await readSegment(options, segment)
    for (const encoding of ENCODINGS) {
      const encoded = requests.filter((request) => request.encoding === encoding)
      if (encoded.length === 0) continue
      for (const result of await storeRequests(options, encoding, encoded)) warnOfLostSpans(result)
    }
    if (isOrphaned) await dropSegment(options, segment)
  }
}
