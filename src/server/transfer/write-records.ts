import type { SpanWriter } from '../../store/ingest/index.js'
import type { ReadyRecord, RefusedRecord } from '../rebuild/index.js'

/** The limits of a group that is written at once: those of one insert. */
const MAX_GROUP_SPANS = 32_768
const MAX_GROUP_BYTES = 64 << 20

/** Stores records, and returns those with refused spans separately. Throws what the writer throws. */
export async function writeRecords(
  writer: Pick<SpanWriter, 'write'>,
  records: readonly ReadyRecord[],
): Promise<{ stored: ReadyRecord[]; refused: RefusedRecord[] }> {
  const stored: ReadyRecord[] = []
  const refused: RefusedRecord[] = []
  for (const group of groupsOf(records)) {
    const refusals = await Promise.all(group.map((record) => writeRecord(writer, record)))
    for (const [index, record] of group.entries()) {
      const refusal = refusals[index]
      if (refusal) refused.push(refusal)
      else stored.push(record)
    }
  }
  return { stored, refused }
}

function* groupsOf(records: readonly ReadyRecord[]): Generator<ReadyRecord[]> {
  let group: ReadyRecord[] = []
  let spans = 0
  let bytes = 0
  for (const record of records) {
    const isFull = spans + record.spans > MAX_GROUP_SPANS || bytes + record.bytes > MAX_GROUP_BYTES
    if (group.length > 0 && isFull) {
      yield group
      group = []
      spans = 0
      bytes = 0
    }
    group.push(record)
    spans += record.spans
    bytes += record.bytes
  }
  if (group.length > 0) yield group
}

async function writeRecord(
  writer: Pick<SpanWriter, 'write'>,
  { line, requests }: ReadyRecord,
): Promise<RefusedRecord | undefined> {
  for (const request of requests) {
    const { rejectedSpans, errorMessage } = await writer.write(request)
    if (rejectedSpans > 0) return { line, code: 'invalid_record', detail: errorMessage }
  }
  return undefined
}
