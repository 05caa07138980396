import type { Encoding } from './frame.js'
import { tellOfLoss } from './isolate.js'
import { dropSegment, findSegments, readSegment } from './journal-table.js'
import { storeRequests, type StoreRequestsOptions } from './store-requests.js'

const ENCODINGS: readonly Encoding[] = ['protobuf', 'json']

/**
 * Brings to the tables what is in the journal: `all` of it, or what whoever took it has left there. It may have come to
 * the tables before, and be brought there by another at the same time: repeated spans change nothing. What somebody may
 * still be writing to stays.
 */
export async function takeOver(options: StoreRequestsOptions, which: 'all' | 'orphaned'): Promise<void> {
  for (const { segment, isOrphaned } of await findSegments(options)) {
    if (which === 'orphaned' && !isOrphaned) continue
    const requests = await readSegment(options, segment)
    for (const encoding of ENCODINGS) {
      const its = requests.filter((request) => request.encoding === encoding)
      if (its.length === 0) continue
      for (const result of await storeRequests(options, encoding, its)) tellOfLoss(result)
    }
    if (isOrphaned) await dropSegment(options, segment)
  }
}
